package dev.coppice.runner.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The facilities of this machine for starting and finding processes. */
public final class Machine implements AutoCloseable {
    private final Containment containment;
    private final ProcessTable processTable = new ProcessTable();
    private final Supervisor supervisor;
    private final Supervisors supervisors;
    private final String boot = bootId();

    private Machine(Containment containment, Supervisor supervisor) {
        this.containment = containment;
        this.supervisor = supervisor;
        this.supervisors = new Supervisors(containment, processTable, supervisor);
    }

    /**
     * Detects the facilities and prepares them for a runner whose files are in {@code directory}.
     */
    public static Machine here(Path directory, String wanted) {
        Native.adoptOrphans();
        var containment = Containments.best(directory, wanted);
        containment.prepareLimits();
        return new Machine(containment, Supervisor.written(directory));
    }

    /** Detects the facilities without a trace, for callers that start no agents. */
    public static Machine probe(Path directory, String wanted) {
        return new Machine(Containments.probe(directory, wanted), Supervisor.probe(directory));
    }

    public Containment containment() {
        return containment;
    }

    public ProcessTable processTable() {
        return processTable;
    }

    public Supervisor supervisor() {
        return supervisor;
    }

    Supervisors supervisors() {
        return supervisors;
    }

    /** Returns an id that changes with each boot; empty if the system has none. */
    String boot() {
        return boot;
    }

    /** Prepares for agents to start soon. */
    public void expectAgents() {
        supervisors.keep();
    }

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

    /** Removes what was created for agents that have not started. Live agents keep theirs. */
    @Override
    public void close() {
        supervisors.close();
        containment.close();
    }
}
