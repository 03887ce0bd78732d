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
 * Orphans without a mark that became children of the runner, because no supervisor was left to
 * adopt them. Nobody can say which run they belong to. The kernel lists adopted children apart from
 * those that threads of the runner have started.
 */
public final class Adopted {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final Duration TELL_AGAIN = Duration.ofSeconds(10);
    private static final Duration END_MAX = Duration.ofMillis(300);
    private static final long SELF = ProcessHandle.current().pid();
    private final Census census;
    private long told;

    /** Whether only agents' orphans can become children of this process. */
    private final boolean isAgentsOnly;

    public Adopted(Census census) {
        this.census = census;
        // The first process of a container gets all orphans of it, and a process that was replaced
        // by this one may have left children.
        this.isAgentsOnly = SELF != 1 && orphans(SELF).isEmpty();
    }

    /**
     * Process numbers with their programs. The runner's own programs stay in its session, so a
     * child in another session is an orphan, and not the child of a thread that has ended.
     */
    private static Map<Long, String> of(long runner) {
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
        for (long pid : children(runner)) {
            var stat = Census.stat(pid);
            if (stat != null && stat.session() != own.session()) found.put(pid, stat);
        }
        return found;
    }

    /** Reaps orphans that have ended. */
    public void bury() {
        orphans(SELF)
                .forEach((pid, stat) -> {
                    if (stat.isDead() && !census.isStartedHere(pid)) Native.bury(pid);
                });
    }

    /** Children of the process's first thread; the kernel adds adopted ones to these. */
    static Set<Long> children(long process) {
        var own = Long.toString(process);
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

    /** Orphans of this runner that may be ended. */
    public Map<Long, String> here() {
        return isAgentsOnly ? of(SELF) : Map.of();
    }

    /** Ends these orphans and their descendants, until none is left or the time is over. */
    public void end() {
        var adopted = here();
        if (adopted.isEmpty()) return;
        tell(adopted);
        long until = System.nanoTime() + END_MAX.toNanos();
        while (!adopted.isEmpty() && System.nanoTime() < until) {
            var count = census.now();
            adopted.keySet().forEach(pid -> end(pid, count));
            bury();
            adopted = here();
        }
    }

    private static void end(long pid, Census.Count count) {
        var all = new HashSet<>(count.below(pid));
        all.add(pid);
        // All are suspended first, so that none starts another before it is killed.
        all.forEach(one -> Native.signal(one, Native.SIGSTOP));
        endGroup(pid);
        all.forEach(one -> Native.signal(one, Native.SIGKILL));
    }

    /**
     * A signal to a group reaches each fork. A group without its leader has no supervisor in it.
     */
    private static void endGroup(long pid) {
        var stat = Census.stat(pid);
        if (stat == null || stat.group() <= 1) return;
        boolean isLeft = stat.group() == pid || Census.stat(stat.group()) == null;
        if (isLeft) Native.signal(-stat.group(), Native.SIGKILL);
    }

    private void tell(Map<Long, String> adopted) {
        if (told != 0 && System.nanoTime() - told < TELL_AGAIN.toNanos()) return;
        told = System.nanoTime();
        LOG.log(
                System.Logger.Level.WARNING,
                "ending processes that agents left behind under no supervisor: {0}",
                adopted);
    }
}
