package dev.coppice.runner.process;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A space of process numbers for each run; the kernel ends everyone in it with its first. */
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

    /** Below what made the space, and the shell that is the first in it. */
    @Override
    public int generations() {
        return 3;
    }

    /** A shell is the first, so that the agent is no init and signals end it as they should. */
    @Override
    public List<String> enter(String run, List<String> command) {
        var entering = new ArrayList<>(unshare);
        entering.addAll(List.of("/bin/sh", "-c", "\"$@\"; exit $?", "sh"));
        entering.addAll(lineage.enter(run, command));
        return List.copyOf(entering);
    }

    @Override
    public Set<Long> members(String run, long supervisor, Census.Count count) {
        var members = new HashSet<>(lineage.members(run, supervisor, count));
        var space = spaces.computeIfAbsent(run, _ -> spaceOf(members, supervisor, count));
        if (space.isEmpty()) {
            spaces.remove(run);
            return members;
        }
        // Nobody gets out of it; what made it stands outside, and goes when it is empty.
        return count.inSpace(space);
    }

    /** The one that someone below the supervisor lives in, and the supervisor does not. */
    private static String spaceOf(Set<Long> members, long supervisor, Census.Count count) {
        var outside = count.people().get(supervisor);
        if (outside == null || outside.space() == null) return "";
        for (var pid : members) {
            var person = count.people().get(pid);
            var space = person == null ? null : person.space();
            if (space != null && !space.equals(outside.space())) return space;
        }
        return "";
    }

    @Override
    public boolean isCertain() {
        return true;
    }

    @Override
    public boolean kill(String run) {
        return false;
    }

    @Override
    public boolean freeze(String run, Freezing freezing) {
        return false;
    }

    @Override
    public void leave(String run) {
        spaces.remove(run);
    }
}
