package dev.coppice.runner.process;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Holds together the programs that a runner starts for itself, as it does those of an agent, and
 * ends with the work whatever is left of them. Git should start nothing in a repository that an
 * agent could write to; if it does all the same, that does not outlive the look.
 */
public final class Guard {
    private static final ScopedValue<String> CURRENT = ScopedValue.newInstance();
    private static final Lineage MARKS = new Lineage();

    private Guard() {}

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

    /** The command line and its environment, marked; as they are where nobody guards. */
    public static List<String> marked(List<String> command, Map<String, String> environment) {
        if (!CURRENT.isBound()) return command;
        environment.put(Mark.RUN, CURRENT.get());
        return MARKS.enter(CURRENT.get(), command);
    }
}
