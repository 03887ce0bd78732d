package dev.coppice.runner.process;

import dev.coppice.wire.fleet.ClaimedRun;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** A mechanism that holds all processes of one run together. */
public interface Containment {
    String name();

    /** Returns what the mechanism guarantees, in words for {@code doctor}. */
    String promise();

    /** Returns the command line that runs {@code command} inside. */
    List<String> enter(String run, List<String> command);

    /** Prepares what {@link #limit} needs. Called by a runner before it starts agents. */
    default void delegate() {}

    /**
     * Limits what the processes of a run may use together, if possible. {@link #enter} comes first.
     */
    default void limit(String run, ClaimedRun.Share most) {}

    /** Returns the limits that the run reached, in words for its user. */
    default List<String> limitsMet(String run) {
        return List.of();
    }

    /** Returns the processes inside, which do not include {@code supervisor}. */
    Set<Long> members(String run, long supervisor, ProcessTable.Count count);

    /**
     * Returns the number of generations from the supervisor to the agent. Processes between them
     * only hold the agent.
     */
    default int generations() {
        return 1;
    }

    /** Returns what the kernel knows without a count of processes. */
    default Occupancy inside(String run) {
        return Occupancy.UNKNOWN;
    }

    /** The result of {@link #inside}. */
    enum Occupancy {
        EMPTY,
        OCCUPIED,
        UNKNOWN
    }

    /**
     * True if one empty look proves that no process is left; otherwise it takes several in a row.
     */
    boolean isCertain();

    /** Kills all processes inside in one operation; false if that is impossible. */
    boolean kill(String run);

    /** Suspends or resumes all processes inside in one operation; false if that is impossible. */
    boolean freeze(String run, Freezing freezing);

    /** Removes what was created for the run. No process is left inside. */
    void leave(String run);

    /** Returns the name of a run's control group. */
    static String groupOf(String run) {
        return run.replaceAll("[^A-Za-z0-9_-]", "_");
    }

    /** Returns the names of the groups that were created and not yet removed. */
    default Set<String> made() {
        return Set.of();
    }

    /** Called when the runner closes. Live processes inside are left to the restarted runner. */
    default void close() {}

    enum Freezing {
        FREEZE,
        THAW
    }

    /** Like {@link #best}, but leaves no trace on the machine. */
    static Containment probe(Path directory, String wanted) {
        return Containments.probe(directory, wanted);
    }

    /** Returns the wanted containment; for {@code auto}, the best that this machine offers. */
    static Containment best(Path directory, String wanted) {
        return Containments.best(directory, wanted);
    }
}
