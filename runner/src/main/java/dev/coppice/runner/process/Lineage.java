package dev.coppice.runner.process;

import java.util.HashSet;
import java.util.Set;

/** Containment by descent and marks, available to any user on Linux. The others build on it. */
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
    public Entry prepare(String group) {
        return Entry.NONE;
    }

    @Override
    public Set<Long> members(RunGroup group, long supervisor, ProcessTable.Count count) {
        var members = new HashSet<>(count.marked(group.run()));
        if (supervisor != 0) members.addAll(count.below(supervisor));
        members.remove(supervisor);
        return members;
    }

    @Override
    public boolean isCertain() {
        return false;
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
    public void cleanUp(String group) {}
}
