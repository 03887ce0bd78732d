package dev.coppice.runner.process;

import dev.coppice.wire.fleet.ClaimedRun;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A mechanism that holds all processes of one run together. */
public interface Containment {
    String name();

    /** Returns what the mechanism guarantees, in words for {@code doctor}. */
    String promise();

    /** Creates the group with this name, if the mechanism has groups. */
    Entry prepare(String group);

    /**
     * The way into a group: a process writes its id to the control group {@code group}, or starts
     * inside through {@code wrapper}, a prefix of its command line.
     */
    record Entry(@Nullable Path group, List<String> wrapper) {
        static final Entry NONE = new Entry(null, List.of());

        public Entry {
            wrapper = List.copyOf(wrapper);
        }

        /** Returns the command line that enters the group, marks itself and runs the command. */
        List<String> around(String run, List<String> command) {
            var line = new ArrayList<String>();
            if (group != null) {
                line.addAll(List.of("/bin/sh", "-c", ENTER, group.toString()));
            }
            line.addAll(wrapper);
            line.addAll(Mark.around(run, command));
            return List.copyOf(line);
        }

        private static final String ENTER = "echo $$ >\"$0/cgroup.procs\" && exec \"$@\"";
    }

    /** Makes {@link #limit} possible. Call it once, before any agent starts. */
    default void prepareLimits() {}

    /** Limits what the processes in this prepared group may use together, if possible. */
    default void limit(String group, ClaimedRun.Share most) {}

    /** Returns the limits that the group reached, in words for the user of its run. */
    default List<String> limitsReached(String group) {
        return List.of();
    }

    /** Returns the processes of the run without {@code supervisor}. */
    Set<Long> members(RunGroup group, long supervisor, ProcessTable.Count count);

    /**
     * Returns how many levels below the supervisor the agent is: 1 if it is its child, more if
     * other processes wrap it.
     */
    default int agentDepth() {
        return 1;
    }

    /** Returns whether the group has processes; {@code UNKNOWN} if only /proc can tell. */
    default Occupancy occupancy(String group) {
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
    boolean kill(String group);

    /** Suspends or resumes all processes inside in one operation; false if that is impossible. */
    boolean freeze(String group, Freezing freezing);

    /** Removes the group, unless processes are left in it. */
    void cleanUp(String group);

    /** Returns the groups without processes that an earlier process of this runner left behind. */
    default Set<String> leftBehind() {
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
}
