package dev.coppice.runner.process;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Marks the programs that a runner starts for itself, and ends what is left of them when the work
 * is done. Git should start nothing in a repository that an agent could write to; a process that it
 * starts anyway does not outlive the work.
 */
public final class OwnProcesses {
    private static final ScopedValue<Work> CURRENT = ScopedValue.newInstance();
    private static final String THIS_PROCESS =
            HexFormat.of().toHexDigits(new SecureRandom().nextLong());
    private static final AtomicLong STARTED = new AtomicLong();

    private OwnProcesses() {}

    /** A piece of the runner's own work, whose programs carry its mark. */
    private record Work(String mark, Machine machine) {}

    /**
     * Runs a piece of work, then ends what its programs left. The mark is unique: the runner of
     * another coordinator on this machine may do a task of the same name.
     */
    public static <T> T within(String name, Machine machine, Supplier<T> work) {
        var mark = "%s-%s-%d".formatted(name, THIS_PROCESS, STARTED.incrementAndGet());
        try {
            return ScopedValue.where(CURRENT, new Work(mark, machine)).call(work::get);
        } finally {
            end(machine, mark);
        }
    }

    private static void end(Machine machine, String mark) {
        if (!ProcessTable.isPossible()) return;
        try {
            RunProcesses.strays(mark, machine).end(Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts a program. Inside {@link #within}, it carries the marks of that work. */
    public static Process start(ProcessBuilder program) throws IOException {
        if (!CURRENT.isBound()) return program.start();
        var work = CURRENT.get();
        program.environment().put(Mark.RUN, work.mark());
        program.command(Mark.around(work.mark(), program.command()));
        var process = program.start();
        // Without this, a count would reap it as an orphan, and the JDK would report success.
        work.machine().processTable().startedHere(process.pid());
        return process;
    }
}
