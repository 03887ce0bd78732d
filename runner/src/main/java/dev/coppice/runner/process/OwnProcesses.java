package dev.coppice.runner.process;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Marks the programs that a runner starts for itself, and ends what is left of them when the work
 * is done. Git should start nothing in a repository that an agent could write to; a process that it
 * starts anyway does not outlive the work.
 */
public final class OwnProcesses {
    private static final ScopedValue<String> CURRENT = ScopedValue.newInstance();
    private static final Lineage MARKS = new Lineage();

    private OwnProcesses() {}

    public static <T> T within(String name, Machine machine, Supplier<T> work) {
        try {
            return ScopedValue.where(CURRENT, name).call(work::get);
        } finally {
            end(machine, name);
        }
    }

    private static void end(Machine machine, String name) {
        if (!Census.isPossible()) return;
        try {
            machine.strays(name).end(Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Adds the marks to a command line and its environment; changes nothing outside {@link
     * #within}.
     */
    public static List<String> marked(List<String> command, Map<String, String> environment) {
        if (!CURRENT.isBound()) return command;
        environment.put(Mark.RUN, CURRENT.get());
        return MARKS.enter(CURRENT.get(), command);
    }
}
