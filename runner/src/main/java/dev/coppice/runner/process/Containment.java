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

    /** Creates the group of a run; returns the command line that runs {@code command} in it. */
    List<String> wrap(String run, List<String> command);

    /** Makes {@link #limit} possible. Call it once, before any agent starts. */
    default void prepareLimits() {}

    /**
     * Limits what the processes of a run may use together, if possible. Call it after {@link
     * #wrap}, which creates the group.
     */
    default void limit(String run, ClaimedRun.Share most) {}

    /** Returns the limits that the run reached, in words for its user. */
    default List<String> limitsReached(String run) {
        return List.of();
    }

    /** Returns the processes of the run without {@code supervisor}. */
    Set<Long> members(String run, long supervisor, ProcessTable.Count count);

    /**
     * Returns how many levels below the supervisor the agent is: 1 if it is its child, more if
     * other processes wrap it.
     */
    default int agentDepth() {
        return 1;
    }

    /** Returns whether the group has processes; {@code UNKNOWN} if only /proc can tell. */
    default Occupancy occupancy(String run) {
        return Occupancy.UNKNOWN;
    }

    enum Occupancy {
        EMPTY,
        OCCUPIED,
        UNKNOWN
    }

    /**
     * True if one empty result of {@link #members} proves that no process is left. Otherwise it
     * takes several in a row.
     */
    boolean isCertain();

    /** Kills all processes inside in one operation; false if that is impossible. */
    boolean kill(String run);

    /** Suspends or resumes all processes inside in one operation; false if that is impossible. */
    boolean freeze(String run, Freezing freezing);

    /** Removes the group of the run, unless processes are left in it. */
    void cleanUp(String run);

    /** Returns the name of a run's control group. */
    static String groupOf(String run) {
        return run.replaceAll("[^A-Za-z0-9_-]", "_");
    }

    /** Returns the names of the groups that exist. */
    default Set<String> groups() {
        return Set.of();
    }

    /**
     * Removes what this containment created. Groups with processes stay: these outlive the runner,
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
