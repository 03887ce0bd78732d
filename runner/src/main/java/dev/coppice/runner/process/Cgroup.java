package dev.coppice.runner.process;

import dev.coppice.wire.fleet.ClaimedRun;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A control group for each run. A process leaves it only with write access to the groups above. */
final class Cgroup implements Containment {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final List<String> CONTROLLERS = List.of("pids", "memory");
    private static final String CONTROL = "cgroup.subtree_control";
    private static final String PROCESSES = "cgroup.procs";
    private final Path base;
    private final Lineage lineage = new Lineage();

    /** Groups that this process prepared. One that is empty may be entered at any moment. */
    private final Set<String> prepared = ConcurrentHashMap.newKeySet();

    Cgroup(Path base) {
        this.base = base;
    }

    @Override
    public String name() {
        return "cgroup";
    }

    @Override
    public String promise() {
        var limited = controllers().stream().map(c -> c.equals("pids") ? "processes" : c).toList();
        return "a cgroup v2 for each run below %s: killed and frozen as a whole, %s"
                .formatted(
                        base,
                        limited.isEmpty()
                                ? "but with no limit on processes and memory"
                                : "with a limit on " + String.join(" and ", limited));
    }

    /**
     * Enables the controllers. The kernel refuses those that were not delegated to this user, and
     * refuses all to a group with processes in it: a runner that is alone in its group moves into a
     * child group.
     */
    @Override
    public void prepareLimits() {
        var control = base.resolveSibling(CONTROL);
        if (!enable(control) && isAlone()) {
            var below = base.resolveSibling(base.getFileName() + "-runner");
            try {
                Files.createDirectories(below);
                tryWrite(below.resolve(PROCESSES), Long.toString(ProcessHandle.current().pid()));
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "creating " + below, e);
            }
            enable(control);
        }
        enable(base.resolve(CONTROL));
    }

    private static boolean enable(Path control) {
        boolean all = true;
        for (var controller : CONTROLLERS) all &= tryWrite(control, "+" + controller);
        return all;
    }

    private boolean isAlone() {
        try {
            var here = Files.readAllLines(base.resolveSibling(PROCESSES));
            return here.equals(List.of(Long.toString(ProcessHandle.current().pid())));
        } catch (IOException _) {
            return false;
        }
    }

    private List<String> controllers() {
        try {
            var given = Files.readString(base.resolve(CONTROL));
            var words = List.of(given.strip().split(" "));
            return CONTROLLERS.stream().filter(words::contains).toList();
        } catch (IOException _) {
            return List.of();
        }
    }

    private Path of(String group) {
        return base.resolve(group);
    }

    @Override
    public Entry prepare(String group) {
        try {
            prepared.add(group);
            Files.createDirectories(of(group));
            return new Entry(of(group), List.of());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("creating the cgroup " + of(group), e);
        }
    }

    /** The files of a control group that set one limit, and that count how often it was met. */
    private enum Limit {
        PROCESSES("pids.max", "pids.events", "max "),
        MEMORY_BYTES("memory.max", "memory.events", "oom_kill ");

        private final String max;
        private final String events;
        private final String counter;

        Limit(String max, String events, String counter) {
            this.max = max;
            this.events = events;
            this.counter = counter;
        }

        private @Nullable Long of(ClaimedRun.Share share) {
            return switch (this) {
                case PROCESSES -> share.processes();
                case MEMORY_BYTES -> share.memoryBytes();
            };
        }
    }

    /** Skips limits whose controller was not delegated: their files do not exist. */
    @Override
    public void limit(String group, ClaimedRun.Share most) {
        for (var limit : Limit.values()) {
            var max = limit.of(most);
            if (max != null) tryWrite(of(group).resolve(limit.max), max.toString());
        }
    }

    @Override
    public List<String> limitsReached(String group) {
        var met = new ArrayList<String>();
        for (var limit : Limit.values()) {
            try {
                var files = of(group);
                boolean isMet =
                        Files.readAllLines(files.resolve(limit.events)).stream()
                                .filter(line -> line.startsWith(limit.counter))
                                .anyMatch(line -> !line.equals(limit.counter + "0"));
                if (!isMet) continue;
                var max = Files.readString(files.resolve(limit.max)).strip();
                met.add("%s = %s".formatted(limit.name().toLowerCase(Locale.ROOT), max));
            } catch (IOException _) {
                // No controller for this limit.
            }
        }
        return List.copyOf(met);
    }

    @Override
    public Set<Long> members(RunGroup group, long supervisor, ProcessTable.Count count) {
        var members = new HashSet<>(lineage.members(group, supervisor, count));
        for (var files : all(group.name())) {
            try {
                Files.readAllLines(files.resolve(PROCESSES))
                        .forEach(line -> members.add(Long.parseLong(line)));
            } catch (IOException _) {
                // The group is gone, so no process is left in it.
            }
        }
        return members;
    }

    /** Returns the group and its subgroups, children before parents. */
    private List<Path> all(String group) {
        if (!Files.isDirectory(of(group))) return List.of();
        try (Stream<Path> all = Files.walk(of(group))) {
            return all.filter(Files::isDirectory).toList().reversed();
        } catch (IOException | java.io.UncheckedIOException _) {
            return List.of();
        }
    }

    @Override
    public Occupancy occupancy(String group) {
        try {
            var events = Files.readString(of(group).resolve("cgroup.events"));
            return events.contains("populated 0") ? Occupancy.EMPTY : Occupancy.OCCUPIED;
        } catch (IOException _) {
            return Occupancy.UNKNOWN;
        }
    }

    @Override
    public boolean isCertain() {
        return true;
    }

    @Override
    public boolean kill(String group) {
        return tryWrite(of(group).resolve("cgroup.kill"), "1");
    }

    @Override
    public boolean freeze(String group, Freezing freezing) {
        return tryWrite(
                of(group).resolve("cgroup.freeze"), freezing == Freezing.FREEZE ? "1" : "0");
    }

    private static boolean tryWrite(Path file, String text) {
        try {
            if (!Files.exists(file)) return false;
            Files.writeString(file, text);
            return true;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "writing " + file, e);
            return false;
        }
    }

    @Override
    public Set<String> leftBehind() {
        if (!Files.isDirectory(base)) return Set.of();
        try (Stream<Path> all = Files.list(base)) {
            return all.filter(Files::isDirectory)
                    .map(group -> String.valueOf(group.getFileName()))
                    .filter(group -> !prepared.contains(group))
                    .filter(group -> occupancy(group) == Occupancy.EMPTY)
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException | java.io.UncheckedIOException _) {
            return Set.of();
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(base);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot delete " + base, e);
        }
    }

    @Override
    public void cleanUp(String group) {
        prepared.remove(group);
        for (var files : all(group)) {
            try {
                Files.deleteIfExists(files);
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "deleting " + files, e);
            }
        }
    }
}
