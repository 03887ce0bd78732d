package dev.coppice.runner.process;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Containment by descent and by marks, which any user has on Linux. The others build on it. */
final class Lineage implements Containment {
    @Override
    public String name() {
        return "lineage";
    }

    @Override
    public String promise() {
        return "finds processes by descent and by two marks: an environment variable and a file"
                + " size limit";
    }

    @Override
    public List<String> wrap(String run, List<String> command) {
        var entering = new ArrayList<String>();
        entering.addAll(List.of("/bin/sh", "-c", "ulimit -f \"$0\" 2>/dev/null; exec \"$@\""));
        entering.add(Long.toString(Mark.blocks(run)));
        entering.addAll(command);
        return List.copyOf(entering);
    }

    @Override
    public Set<Long> members(String run, long supervisor, ProcessTable.Count count) {
        var members = new HashSet<>(count.marked(run));
        if (supervisor != 0) members.addAll(count.below(supervisor));
        members.remove(supervisor);
        return members;
    }

    @Override
    public boolean isCertain() {
        return false;
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
    public void cleanUp(String run) {}
}
