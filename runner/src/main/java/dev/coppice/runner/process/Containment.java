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

    /** Returns the command line that runs {@code command} inside, and creates what it needs. */
    List<String> enter(String run, List<String> command);

    /** Makes {@link #limit} possible. Called once, before the runner starts agents. */
    default void delegate() {}

    /**
     * Limits what the processes of a run may use together, if possible. Call it after {@link
     * #enter}, which creates the group.
     */
    default void limit(String run, ClaimedRun.Share most) {}

    /** Returns the limits that the run reached, in words for its user. */
    default List<String> limitsMet(String run) {
        return List.of();
    }

    /** Returns the processes inside, which do not include {@code supervisor}. */
    Set<Long> members(String run, long supervisor, ProcessTable.Count count);

    /**
     * Returns how many levels below the supervisor the agent is: 1 if it is its child. The
     * processes in between only wrap the agent.
     */
    default int generations() {
        return 1;
    }

    /** Returns whether the kernel reports processes inside, without a scan of /proc. */
    default Occupancy inside(String run) {
        return Occupancy.UNKNOWN;
    }

    enum Occupancy {
        EMPTY,
        OCCUPIED,
        UNKNOWN
    }

    /**
     * True if one empty result of {@link #members} proves that no process is left; otherwise
     * several in a row are needed.
     */
    boolean isCertain();

    /** Kills all processes inside in one operation; false if that is impossible. */
    boolean kill(String run);

    /** Suspends or resumes all processes inside in one operation; false if that is impossible. */
    boolean freeze(String run, Freezing freezing);

    /** Removes what was created for the run, unless processes are left inside. */
    void leave(String run);

    /** Returns the name of a run's control group. */
    static String groupOf(String run) {
        return run.replaceAll("[^A-Za-z0-9_-]", "_");
    }

    /** Returns the names of the groups that were created and not yet removed. */
    default Set<String> made() {
        return Set.of();
    }

    /**
     * Removes what this containment created, unless processes are inside: these outlive the runner,
     * and its next start takes them over.
     */
    default void close() {}

    enum Freezing {
        FREEZE,
        THAW
    }

    /** Like {@link #best}, but removes what it created. For callers that start no agents. */
    static Containment probe(Path directory, String wanted) {
        return Containments.probe(directory, wanted);
    }

    /** Returns the wanted containment; for {@code auto}, the best that this machine offers. */
    static Containment best(Path directory, String wanted) {
        return Containments.best(directory, wanted);
    }
}
