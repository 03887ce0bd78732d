package dev.coppice.runner.process;

import dev.coppice.wire.fleet.ClaimedRun;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** A way of holding all processes of one run together. */
public interface Containment {
    String name();

    /** What it promises, for those who ask. */
    String promise();

    /** The command line that runs the other one inside. */
    List<String> enter(String run, List<String> command);

    /** Prepares what {@link #limit} needs; for a runner that is about to start agents. */
    default void delegate() {}

    /**
     * Limits what all processes of a run may use together, where possible; after {@link #enter}.
     */
    default void limit(String run, ClaimedRun.Share most) {}

    /** Which of those limits were met, in words for whoever started the run. */
    default List<String> limitsMet(String run) {
        return List.of();
    }

    /** Everyone inside now; {@code supervisor} stands outside. */
    Set<Long> members(String run, long supervisor, Census.Count count);

    /** So many generations below the supervisor is the agent; those between only hold it. */
    default int generations() {
        return 1;
    }

    /** What the kernel knows without anybody being counted. */
    default Inside inside(String run) {
        return Inside.UNKNOWN;
    }

    /** Whether anybody is inside. */
    enum Inside {
        NOBODY,
        SOMEBODY,
        UNKNOWN
    }

    /** Whether one look that finds nobody is enough; where it is not, it takes several in a row. */
    boolean isCertain();

    /** Ends everyone inside at one stroke, where that is possible. */
    boolean kill(String run);

    /** Suspends everyone inside at one stroke, or lets them go on, where that is possible. */
    boolean freeze(String run, Freezing freezing);

    /** Takes away what was made for the run; nobody is left inside. */
    void leave(String run);

    /** The name of the control group that is made for a run. */
    static String groupOf(String run) {
        return run.replaceAll("[^A-Za-z0-9_-]", "_");
    }

    /** Runs for which something was made and not taken away again. */
    default Set<String> made() {
        return Set.of();
    }

    /** The runner goes; what is still inside is for its next life. */
    default void close() {}

    /** Which of the two is wanted. */
    enum Freezing {
        FREEZE,
        THAW
    }

    /** The same, found out without leaving a trace. */
    static Containment looked(Path directory, String wanted) {
        return Containments.looked(directory, wanted);
    }

    /** The best this machine offers, or the one that is wanted. */
    static Containment best(Path directory, String wanted) {
        return Containments.best(directory, wanted);
    }
}
