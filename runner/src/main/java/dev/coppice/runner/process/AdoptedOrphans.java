package dev.coppice.runner.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds and ends orphans that the kernel gave to the runner because no supervisor adopted them.
 * Only unmarked ones are ended here: their run is unknown.
 */
public final class AdoptedOrphans {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final Duration WARN_INTERVAL = Duration.ofSeconds(10);
    private static final Duration END_MAX = Duration.ofMillis(300);
    private static final long SELF = ProcessHandle.current().pid();
    private final ProcessTable processTable;
    private long warnedAt;

    /** False if some orphans may not come from agents; then none is ended. */
    private final boolean canEndOrphans;

    public AdoptedOrphans(ProcessTable processTable) {
        this.processTable = processTable;
        // Process 1 adopts every orphan of its container. Children that exist at the start belong
        // to a program that this one replaced (exec).
        this.canEndOrphans = SELF != 1 && orphans(SELF).isEmpty();
    }

    /** Returns the programs of live, unmarked orphans by process id. */
    private static Map<Long, String> unmarked(long runner) {
        var found = new TreeMap<Long, String>();
        orphans(runner)
                .forEach((pid, stat) -> {
                    boolean isUnmarked = !stat.isDead() && !ProcessInfo.of(pid, stat).isMarked();
                    if (isUnmarked) found.put(pid, stat.program());
                });
        return found;
    }

    /**
     * Returns the children of the first thread that are in another POSIX session (setsid). These
     * may include supervisors, which are marked.
     */
    private static Map<Long, ProcessInfo.Stat> orphans(long runner) {
        var found = new TreeMap<Long, ProcessInfo.Stat>();
        var own = ProcessInfo.stat(runner);
        if (own == null) return found;
        for (long pid : children(runner)) {
            var stat = ProcessInfo.stat(pid);
            if (stat != null && stat.session() != own.session()) found.put(pid, stat);
        }
        return found;
    }

    /** Reaps orphans that have ended. */
    public void reap() {
        orphans(SELF)
                .forEach((pid, stat) -> {
                    if (stat.isDead() && !processTable.isStartedHere(pid)) Native.reap(pid);
                });
    }

    /**
     * Returns the children of the process's first thread; the kernel adds adopted ones to these.
     */
    static Set<Long> children(long process) {
        var own = Long.toString(process);
        var file = Path.of("/proc", own, "task", own, "children");
        var found = new HashSet<Long>();
        try {
            var line = Files.readString(file, StandardCharsets.ISO_8859_1);
            for (var pid : line.split(" ", -1)) if (!pid.isBlank()) found.add(Long.parseLong(pid));
        } catch (IOException _) {
            // The process is gone, or this kernel does not list children.
        }
        return found;
    }

    /** Returns the orphans that this runner may end. */
    public Map<Long, String> endable() {
        if (!canEndOrphans) return Map.of();
        var found = unmarked(SELF);
        // A supervisor has no mark where the limit on file sizes cannot be set.
        found.keySet().removeIf(processTable::isStartedHere);
        return found;
    }

    /**
     * Ends these orphans and their descendants, until none is left or the time limit is reached.
     */
    public void end() {
        var adopted = endable();
        if (adopted.isEmpty()) return;
        warn(adopted);
        long until = System.nanoTime() + END_MAX.toNanos();
        while (!adopted.isEmpty() && System.nanoTime() < until) {
            var count = processTable.now();
            adopted.keySet().forEach(pid -> end(pid, count));
            reap();
            adopted = endable();
        }
    }

    private static void end(long pid, ProcessTable.Count count) {
        var all = new HashSet<>(count.below(pid));
        all.add(pid);
        // Suspend all of them first, so that none forks before it is killed.
        all.forEach(one -> Native.signal(one, Native.SIGSTOP));
        endGroup(pid);
        all.forEach(one -> Native.signal(one, Native.SIGKILL));
    }

    /**
     * Kills the orphan's group, because a signal to a group reaches each fork. Spares a group with
     * another live leader, which may be a supervisor.
     */
    private static void endGroup(long pid) {
        var stat = ProcessInfo.stat(pid);
        if (stat == null || stat.group() <= 1) return;
        boolean isOwnGroup = stat.group() == pid || ProcessInfo.stat(stat.group()) == null;
        if (isOwnGroup) Native.signal(-stat.group(), Native.SIGKILL);
    }

    private void warn(Map<Long, String> adopted) {
        if (warnedAt != 0 && System.nanoTime() - warnedAt < WARN_INTERVAL.toNanos()) return;
        warnedAt = System.nanoTime();
        LOG.log(
                System.Logger.Level.WARNING,
                "ending processes that agents left behind without a supervisor: {0}",
                adopted);
    }
}
