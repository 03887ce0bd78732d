package dev.coppice.runner.process;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The facilities of this machine for starting and finding processes. */
public record Machine(
        Containment containment, ProcessTable processTable, Supervisor supervisor, String boot) {

    /**
     * Detects the facilities and prepares them for a runner whose files are in {@code directory}.
     */
    public static Machine here(Path directory, String wanted) {
        Native.adoptOrphans();
        var containment = Containment.best(directory, wanted);
        containment.prepareLimits();
        return new Machine(
                containment, new ProcessTable(), Supervisor.written(directory), bootId());
    }

    /** Detects the facilities without a trace, for callers that start no agents. */
    public static Machine probe(Path directory, String wanted) {
        return new Machine(
                Containment.probe(directory, wanted),
                new ProcessTable(),
                Supervisor.probe(directory),
                bootId());
    }

    /** Returns an id that changes with each boot; empty if the system has none. */
    private static String bootId() {
        var file = Path.of("/proc/sys/kernel/random/boot_id");
        try {
            return Files.isReadable(file) ? Files.readString(file).strip() : "";
        } catch (IOException _) {
            return "";
        }
    }

    /**
     * Returns the prefix that starts a new session, so that Ctrl-C in the runner's terminal does
     * not reach the agents.
     */
    List<String> detached() {
        var setsid = Path.of("/usr/bin/setsid");
        return Files.isExecutable(setsid) ? List.of(setsid.toString()) : List.of();
    }

    RunProcesses runProcesses(String run, long supervisor, @Nullable StopSignal polite) {
        return new RunProcesses(run, supervisor, polite, this);
    }

    /** Returns the processes of a run without a known supervisor, found by their marks. */
    public RunProcesses strays(String run) {
        return runProcesses(run, 0, null);
    }
}
