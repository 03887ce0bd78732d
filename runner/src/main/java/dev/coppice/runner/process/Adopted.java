package dev.coppice.runner.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Orphans of agents that a runner has for children, because no supervisor was left to adopt them,
 * and that carry no mark: nobody can say of which run they are. The kernel lists adopted children
 * apart from those that threads of the runner have started.
 */
public final class Adopted {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final long SELF = ProcessHandle.current().pid();
    private final Census census;
    private final Set<Long> told = new HashSet<>();

    public Adopted(Census census) {
        this.census = census;
    }

    /**
     * Each with its program. A session of its own tells an orphan from a child of a thread that has
     * ended: what a runner starts for itself stays in the runner's session.
     */
    public static Map<Long, String> of(long runner) {
        var found = new TreeMap<Long, String>();
        orphans(runner)
                .forEach((pid, stat) -> {
                    boolean isNobodys = !stat.isDead() && !Census.person(pid, stat).isMarked();
                    if (isNobodys) found.put(pid, stat.program());
                });
        return found;
    }

    private static Map<Long, Census.Stat> orphans(long runner) {
        var found = new TreeMap<Long, Census.Stat>();
        var own = Census.stat(runner);
        if (own == null) return found;
        for (long pid : listed(runner)) {
            var stat = Census.stat(pid);
            if (stat != null && stat.session() != own.session()) found.put(pid, stat);
        }
        return found;
    }

    /** Takes the ends of this runner's own from the kernel. */
    public void bury() {
        orphans(SELF)
                .forEach((pid, stat) -> {
                    if (stat.isDead() && !census.isStartedHere(pid)) Native.bury(pid);
                });
    }

    private static Set<Long> listed(long runner) {
        var own = Long.toString(runner);
        var file = Path.of("/proc", own, "task", own, "children");
        var found = new HashSet<Long>();
        try {
            var line = Files.readString(file, StandardCharsets.ISO_8859_1);
            for (var pid : line.split(" ", -1)) if (!pid.isBlank()) found.add(Long.parseLong(pid));
        } catch (IOException _) {
            // The process has gone, or this kernel does not list children.
        }
        return found;
    }

    /** Ends this runner's own, and everyone below them; what they start meanwhile is next. */
    public void end() {
        var adopted = of(SELF);
        if (adopted.isEmpty()) return;
        var count = census.now();
        adopted.forEach((pid, program) -> {
            var all = new HashSet<>(count.below(pid));
            all.add(pid);
            // Suspended first, so that nobody starts another one before it is killed.
            all.forEach(one -> Native.signal(one, Native.SIGSTOP));
            if (told.add(pid)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "ending {0} ({1}), which an agent left behind under no supervisor",
                        Long.toString(pid),
                        program);
            }
            all.forEach(one -> ProcessHandle.of(one).ifPresent(ProcessHandle::destroyForcibly));
        });
        told.retainAll(adopted.keySet());
    }
}
