package dev.coppice.runner.process;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * All processes of this machine with their marks, read from /proc. Many ask at once when a tree
 * ends, so a count that was begun after a question answers it too. Orphans that were marked and
 * that this process has adopted are buried on the way, each by its own number.
 */
public final class Census {
    private static final Path PROC = Path.of("/proc");
    private static final int ENVIRONMENT_BYTES_MAX = 256 * 1024;
    private static final int PASSES_MAX = 50;
    private static final long SELF = ProcessHandle.current().pid();

    /** Seen alive with a mark; and those the JDK started, which it buries itself. */
    private final Set<Long> known = new HashSet<>();

    private final Set<Long> started = new HashSet<>();
    private @Nullable Count latest;
    private long begun;

    /** One process: who started it and when, what it carries, and its own space of numbers. */
    record Person(
            long pid,
            Stat stat,
            @Nullable String run,
            @Nullable String runner,
            @Nullable String url,
            long fileSize,
            @Nullable String space) {
        /** Whether it shows at least one sign of the run that it belongs to. */
        boolean isMarked() {
            return run != null || Mark.isOne(fileSize);
        }
    }

    /** What the kernel keeps of every process, also of one that has ended and is not buried. */
    record Stat(
            String program, boolean isDead, long parent, long group, long session, long started) {
        /** The name stands in brackets and may hold anything, so the rest is read from its end. */
        static Stat of(String line) {
            var rest = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
            return new Stat(
                    line.substring(line.indexOf('(') + 1, line.lastIndexOf(')')),
                    rest[0].equals("Z"),
                    Long.parseLong(rest[1]),
                    Long.parseLong(rest[2]),
                    Long.parseLong(rest[3]),
                    Long.parseLong(rest[19]));
        }
    }

    /** Everyone who lived at one moment. */
    public record Count(Map<Long, Person> people, long begun) {
        public Count {
            people = Map.copyOf(people);
        }

        /**
         * Those that are so many generations below this supervisor, in the line of the one that it
         * started: its first child, because it adopts orphans of that line later.
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
            var person = people.get(pid);
            return person == null ? Long.MAX_VALUE : person.stat().started();
        }

        private Map<Long, List<Long>> children() {
            var children = new HashMap<Long, List<Long>>();
            for (var p : people.values()) {
                children.computeIfAbsent(p.stat().parent(), _ -> new ArrayList<>()).add(p.pid());
            }
            return children;
        }

        /** All below this process, whatever they carry. */
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

        /** All that carry a mark of this run, and all below them, who may have lost it. */
        Set<Long> marked(String run) {
            long bytes = Mark.bytes(run);
            var found = new HashSet<Long>();
            for (var p : people.values()) {
                if (run.equals(p.run()) || p.fileSize() == bytes) found.add(p.pid());
            }
            found.addAll(below(found));
            return found;
        }

        /** All in this space of process numbers. */
        Set<Long> inSpace(String space) {
            var found = new HashSet<Long>();
            for (var p : people.values()) if (space.equals(p.space())) found.add(p.pid());
            return found;
        }

        /** Every run of the coordinator at this address that processes here carry the mark of. */
        public List<Remains> remains(String url) {
            var found = new HashMap<String, Set<Long>>();
            for (var p : people.values()) {
                if (url.equals(p.url()) && p.run() != null) {
                    found.computeIfAbsent(p.run(), _ -> new HashSet<>()).add(p.pid());
                }
            }
            found.values().forEach(pids -> pids.addAll(below(pids)));
            return found.entrySet().stream()
                    .map(e -> new Remains(e.getKey(), e.getValue()))
                    .toList();
        }

        /** What carries the mark of this run that nobody can wash off. */
        public Remains markedBy(String run) {
            return new Remains(run, marked(run));
        }

        /** The runs whose marks are carried by processes of this runner, with those processes. */
        public Map<String, Set<Long>> runsOf(String runner) {
            var found = new HashMap<String, Set<Long>>();
            for (var p : people.values()) {
                if (runner.equals(p.runner()) && p.run() != null) {
                    found.computeIfAbsent(p.run(), _ -> new HashSet<>()).add(p.pid());
                }
            }
            return found;
        }
    }

    /** For those who look from outside: what a run still has, by the coordinator it belongs to. */
    public record Remains(String run, Set<Long> pids) {
        public Remains {
            pids = Set.copyOf(pids);
        }
    }

    public static boolean isPossible() {
        return Files.isDirectory(PROC.resolve("self"));
    }

    /** Whether it has ended and only waits to be buried, as some first processes never do. */
    static boolean isDead(long pid) {
        var stat = stat(pid);
        return stat != null && stat.isDead();
    }

    /** Whether a process is still the one whose {@code stat} this was. */
    static boolean hasStarted(long pid, String line) {
        var now = stat(pid);
        return now != null && now.started() == Stat.of(line).started();
    }

    static @Nullable Stat stat(long pid) {
        var line = text(PROC.resolve(Long.toString(pid)).resolve("stat"), 4096);
        return line == null ? null : Stat.of(line);
    }

    /** A count that was begun after this question. */
    public Count now() {
        long asked = System.nanoTime();
        synchronized (this) {
            if (latest == null || begun - asked < 0) {
                begun = System.nanoTime();
                latest = take(begun);
            }
            return latest;
        }
    }

    private Count take(long at) {
        var people = new HashMap<Long, Person>();
        visit(pid -> look(pid, people));
        // One that has died is buried by the next count, so it is known until it is gone.
        known.removeIf(pid -> !Files.exists(PROC.resolve(Long.toString(pid))));
        started.removeIf(pid -> !Files.exists(PROC.resolve(Long.toString(pid))));
        return new Count(people, at);
    }

    /**
     * Every process, those included that are born while others are looked at: who forks faster than
     * we read would otherwise never be met.
     */
    private static void visit(LongConsumer each) {
        var met = new HashSet<Long>();
        boolean more = true;
        for (int pass = 0; more && pass < PASSES_MAX; pass++) {
            more = false;
            for (long pid : listed()) {
                if (pid == SELF || !met.add(pid)) continue;
                more = true;
                each.accept(pid);
            }
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
     * Suspends each process that carries a mark of the run in the moment in which it is met; not
     * the supervisor, which carries one too and must see the end.
     */
    static int suspend(String run, long supervisor) {
        long bytes = Mark.bytes(run);
        var met = new HashSet<Long>();
        visit(pid -> {
            if (pid == supervisor) return;
            var directory = PROC.resolve(Long.toString(pid));
            boolean marked =
                    fileSize(directory) == bytes
                            || run.equals(
                                    variable(
                                            text(
                                                    directory.resolve("environ"),
                                                    ENVIRONMENT_BYTES_MAX),
                                            Mark.RUN));
            if (marked && !isDead(pid) && Native.signal(pid, Native.SIGSTOP)) met.add(pid);
        });
        return met.size();
    }

    private void look(long pid, Map<Long, Person> people) {
        var stat = stat(pid);
        if (stat == null) return;
        if (stat.isDead()) {
            boolean adopted =
                    stat.parent() == SELF && known.contains(pid) && !started.contains(pid);
            if (adopted && Native.bury(pid)) known.remove(pid);
            return;
        }
        var person = person(pid, stat);
        people.put(pid, person);
        if (person.run() != null || person.fileSize() > 0) known.add(pid);
    }

    static Person person(long pid, Stat stat) {
        var directory = PROC.resolve(Long.toString(pid));
        var environment = text(directory.resolve("environ"), ENVIRONMENT_BYTES_MAX);
        return new Person(
                pid,
                stat,
                variable(environment, Mark.RUN),
                variable(environment, Mark.RUNNER),
                variable(environment, Mark.URL),
                fileSize(directory),
                space(directory));
    }

    synchronized boolean isStartedHere(long pid) {
        return started.contains(pid);
    }

    /** The JDK started it, and takes its end from the kernel itself. */
    synchronized void startedHere(long pid) {
        started.add(pid);
    }

    private static @Nullable String variable(@Nullable String environment, String name) {
        if (environment == null) return null;
        var wanted = name + "=";
        int at = environment.startsWith(wanted) ? 0 : environment.indexOf("\0" + wanted) + 1;
        if (at == 0 && !environment.startsWith(wanted)) return null;
        int end = environment.indexOf('\0', at);
        return environment.substring(at + wanted.length(), end < 0 ? environment.length() : end);
    }

    /** The hard limit on the size of files where there is one, else 0. */
    private static long fileSize(Path directory) {
        var limits = text(directory.resolve("limits"), 8192);
        if (limits == null) return 0;
        int at = limits.indexOf("Max file size");
        if (at < 0) return 0;
        var line = limits.substring(at, limits.indexOf('\n', at)).strip().split("\\s+", -1);
        return line[4].equals("unlimited") ? 0 : Long.parseLong(line[4]);
    }

    private static @Nullable String space(Path directory) {
        try {
            return Files.readSymbolicLink(directory.resolve("ns/pid")).toString();
        } catch (IOException | UnsupportedOperationException _) {
            return null;
        }
    }

    /** Nothing when it has gone in the meantime, or is someone else's. */
    private static @Nullable String text(Path file, int bytesMax) {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(bytesMax), StandardCharsets.ISO_8859_1);
        } catch (IOException _) {
            return null;
        }
    }
}
