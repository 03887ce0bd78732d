package dev.coppice.runner.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * All processes of this machine with their marks, read from /proc. A count also reaps marked
 * orphans that this process has adopted, each by its own process id.
 */
public final class ProcessTable {
    private static final Path PROC = Path.of("/proc");

    /** Processes that cannot be read. Each is logged once. */
    private static final Set<Long> UNREADABLE = ConcurrentHashMap.newKeySet();

    private static final int PASSES_MAX = 50;
    private static final long SELF = ProcessHandle.current().pid();

    /** Process ids seen alive with a mark. */
    private final Set<Long> known = ConcurrentHashMap.newKeySet();

    /** Processes that the JDK started and reaps itself. */
    private final Set<Long> started = ConcurrentHashMap.newKeySet();

    private final Identities identities = new Identities(started::contains);
    private final SharedLook<Count> counts = new SharedLook<>("process-counter", this::take);

    /** The live processes at one moment. */
    public record Count(Map<Long, ProcessInfo> processes) {
        public Count {
            processes = Map.copyOf(processes);
        }

        /**
         * Returns the processes {@code generations} levels below this supervisor. Only its oldest
         * child, which it started, and the descendants of that one count: its other children are
         * adopted orphans.
         */
        Set<Long> below(long supervisor, int generations) {
            var children = children();
            var found = Set.of(supervisor);
            for (int i = 0; i < generations; i++) {
                var next = new HashSet<Long>();
                found.forEach(pid -> next.addAll(children.getOrDefault(pid, List.of())));
                found = i == 0 ? first(next) : next;
            }
            return found;
        }

        private Set<Long> first(Set<Long> pids) {
            return pids.stream()
                    .min(
                            Comparator.comparingLong(this::started)
                                    .thenComparing(Comparator.naturalOrder()))
                    .map(Set::of)
                    .orElse(Set.of());
        }

        private long started(long pid) {
            var info = processes.get(pid);
            return info == null ? Long.MAX_VALUE : info.stat().started();
        }

        private Map<Long, List<Long>> children() {
            var children = new HashMap<Long, List<Long>>();
            for (var p : processes.values()) {
                children.computeIfAbsent(p.stat().parent(), _ -> new ArrayList<>()).add(p.pid());
            }
            return children;
        }

        /** Returns all descendants of this process, marked or not. */
        Set<Long> below(long top) {
            return below(Set.of(top));
        }

        private Set<Long> below(Set<Long> tops) {
            var children = children();
            var found = new HashSet<Long>();
            var open = new ArrayList<>(tops);
            while (!open.isEmpty()) {
                for (long pid : children.getOrDefault(open.removeLast(), List.of())) {
                    if (found.add(pid)) open.add(pid);
                }
            }
            return found;
        }

        /**
         * Returns the processes with a mark of this run and their descendants, which may have lost
         * it.
         */
        Set<Long> marked(String run) {
            long bytes = Mark.bytes(run);
            var found = new HashSet<Long>();
            for (var p : processes.values()) {
                if (run.equals(p.run()) || p.fileSize() == bytes) found.add(p.pid());
            }
            found.addAll(below(found));
            return found;
        }

        /** Returns the processes in this PID namespace. */
        Set<Long> inSpace(String space) {
            var found = new HashSet<Long>();
            for (var p : processes.values()) if (space.equals(p.space())) found.add(p.pid());
            return found;
        }

        /** Returns the runs of the coordinator at this address that have marked processes here. */
        public List<Remains> remains(String url) {
            var found = new HashMap<String, Set<Long>>();
            for (var p : processes.values()) {
                if (url.equals(p.url()) && p.run() != null) {
                    found.computeIfAbsent(p.run(), _ -> new HashSet<>()).add(p.pid());
                }
            }
            found.values().forEach(pids -> pids.addAll(below(pids)));
            return found.entrySet().stream()
                    .map(e -> new Remains(e.getKey(), e.getValue()))
                    .toList();
        }

        /** Returns the processes with a mark of this run, and their descendants. */
        public Remains markedBy(String run) {
            return new Remains(run, marked(run));
        }

        /** Returns the processes that carry this runner's mark, by run. */
        public Map<String, Set<Long>> runsOf(String runner) {
            var found = new HashMap<String, Set<Long>>();
            for (var p : processes.values()) {
                if (runner.equals(p.runner()) && p.run() != null) {
                    found.computeIfAbsent(p.run(), _ -> new HashSet<>()).add(p.pid());
                }
            }
            return found;
        }
    }

    /** A run and its remaining processes, for callers outside this package. */
    public record Remains(String run, Set<Long> pids) {
        public Remains {
            pids = Set.copyOf(pids);
        }
    }

    public static boolean isPossible() {
        return Files.isDirectory(PROC.resolve("self"));
    }

    /** Returns a count that began after this call. */
    public Count now() {
        return counts.now();
    }

    private Count take() {
        long at = System.nanoTime();
        var processes = new HashMap<Long, ProcessInfo>();
        visit(pid -> look(pid, processes, at));
        // A dead process is reaped by the next count, so it stays known until it is gone.
        UNREADABLE.removeIf(pid -> !Files.exists(ProcessInfo.directory(pid)));
        known.removeIf(pid -> !Files.exists(ProcessInfo.directory(pid)));
        started.removeIf(pid -> !Files.exists(ProcessInfo.directory(pid)));
        identities.keepOnly(processes.keySet());
        return new Count(processes);
    }

    /**
     * Visits every process, and repeats until a pass meets no new one. A process that forks faster
     * than one pass reads would otherwise never be met.
     */
    private static void visit(LongConsumer each) {
        var met = new HashSet<Long>();
        boolean more = true;
        for (int pass = 0; more && pass < PASSES_MAX; pass++) {
            more = false;
            for (long pid : listed()) {
                if (pid == SELF || !met.add(pid)) continue;
                more = true;
                visit(pid, each);
            }
        }
    }

    /** Skips a process that cannot be read, so that a stop still finds the others. */
    private static void visit(long pid, LongConsumer each) {
        try {
            each.accept(pid);
        } catch (RuntimeException e) {
            if (!UNREADABLE.add(pid)) return;
            System.getLogger("runner")
                    .log(System.Logger.Level.WARNING, "skipped process " + pid + " in /proc", e);
        }
    }

    private static List<Long> listed() {
        try (Stream<Path> entries = Files.list(PROC)) {
            return entries.map(p -> String.valueOf(p.getFileName()))
                    .filter(n -> n.chars().allMatch(Character::isDigit))
                    .map(Long::parseLong)
                    .toList();
        } catch (IOException e) {
            System.getLogger("runner").log(System.Logger.Level.WARNING, "reading /proc", e);
            return List.of();
        }
    }

    /**
     * Suspends each process with a mark of the run as soon as it is met, and returns their number.
     * Skips the supervisor, which is marked too but must record how the agent ended.
     */
    static int suspend(String run, long supervisor) {
        var met = new HashSet<Long>();
        visit(pid -> {
            if (pid == supervisor || !ProcessInfo.isMarked(pid, run)) return;
            if (!ProcessInfo.isDead(pid) && Native.signal(pid, Native.SIGSTOP)) met.add(pid);
        });
        return met.size();
    }

    private void look(long pid, Map<Long, ProcessInfo> processes, long at) {
        var stat = ProcessInfo.stat(pid);
        if (stat == null) return;
        if (stat.isDead()) {
            boolean adopted =
                    stat.parent() == SELF && known.contains(pid) && !started.contains(pid);
            if (adopted && Native.reap(pid)) known.remove(pid);
            return;
        }
        var info = identities.of(pid, stat, at);
        processes.put(pid, info);
        if (info.run() != null || info.fileSize() > 0) known.add(pid);
    }

    boolean isStartedHere(long pid) {
        return started.contains(pid);
    }

    /** Records a process that the JDK started and reaps itself. */
    void startedHere(long pid) {
        started.add(pid);
    }
}
