package dev.coppice.runner.process;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A PID namespace for each run. The kernel kills every process in it when its first one ends. */
final class Namespace implements Containment {
    private final List<String> unshare;
    private final Lineage lineage = new Lineage();
    private final Map<String, String> spaces = new ConcurrentHashMap<>();

    Namespace(List<String> unshare) {
        this.unshare = List.copyOf(unshare);
    }

    @Override
    public String name() {
        return "namespace";
    }

    @Override
    public String promise() {
        return "a pid namespace for each run, which ends with its first process";
    }

    /**
     * The agent is below {@code unshare} and the shell that is the first process of the namespace.
     */
    @Override
    public int agentDepth() {
        return 3;
    }

    /**
     * Starts a shell as the first process, so that the agent is not: the kernel ignores signals
     * that the first process of a namespace does not handle.
     */
    @Override
    public Entry prepare(String group) {
        var words = new ArrayList<>(unshare);
        words.addAll(List.of("/bin/sh", "-c", "\"$@\"; exit $?", "sh"));
        return new Entry(null, words);
    }

    @Override
    public Set<Long> members(RunGroup group, long supervisor, ProcessTable.Count count) {
        var members = new HashSet<>(lineage.members(group, supervisor, count));
        var space = spaces.computeIfAbsent(group.name(), _ -> spaceOf(members, supervisor, count));
        if (space.isEmpty()) {
            spaces.remove(group.name());
            return members;
        }
        // No process leaves the namespace. The one that created it is outside, and ends when it is
        // empty.
        return count.inSpace(space);
    }

    /**
     * Returns the namespace of a member that is not in the supervisor's own; empty if there is
     * none.
     */
    private static String spaceOf(Set<Long> members, long supervisor, ProcessTable.Count count) {
        var outside = count.processes().get(supervisor);
        if (outside == null || outside.space() == null) return "";
        for (var pid : members) {
            var info = count.processes().get(pid);
            var space = info == null ? null : info.space();
            if (space != null && !space.equals(outside.space())) return space;
        }
        return "";
    }

    @Override
    public boolean isCertain() {
        return true;
    }

    @Override
    public boolean kill(String group) {
        return false;
    }

    @Override
    public boolean freeze(String group, Freezing freezing) {
        return false;
    }

    @Override
    public void cleanUp(String group) {
        spaces.remove(group);
    }
}
