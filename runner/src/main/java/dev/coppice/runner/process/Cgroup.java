package dev.coppice.runner.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A control group for each run: nobody gets out without the right to write to the groups above. */
final class Cgroup implements Containment {
    private static final System.Logger LOG = System.getLogger("runner");
    private final Path base;
    private final Lineage lineage = new Lineage();

    Cgroup(Path base) {
        this.base = base;
    }

    @Override
    public String name() {
        return "cgroup";
    }

    @Override
    public String promise() {
        return "a cgroup v2 for each run below " + base + ": killed and frozen at one stroke";
    }

    private Path of(String run) {
        return base.resolve(Containment.groupOf(run));
    }

    @Override
    public List<String> enter(String run, List<String> command) {
        try {
            Files.createDirectories(of(run));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("making the cgroup " + of(run), e);
        }
        var entering = new ArrayList<String>();
        entering.addAll(List.of("/bin/sh", "-c", "echo $$ >\"$0/cgroup.procs\" && exec \"$@\""));
        entering.add(of(run).toString());
        entering.addAll(lineage.enter(run, command));
        return List.copyOf(entering);
    }

    @Override
    public Set<Long> members(String run, long supervisor, Census.Count count) {
        var members = new HashSet<>(lineage.members(run, supervisor, count));
        for (var group : groups(run)) {
            try {
                Files.readAllLines(group.resolve("cgroup.procs"))
                        .forEach(line -> members.add(Long.parseLong(line)));
            } catch (IOException _) {
                // The group has gone in the meantime, and with it everyone in it.
            }
        }
        return members;
    }

    /** The run's own, and those its processes may have made in it; the deepest first. */
    private List<Path> groups(String run) {
        if (!Files.isDirectory(of(run))) return List.of();
        try (Stream<Path> all = Files.walk(of(run))) {
            return all.filter(Files::isDirectory).toList().reversed();
        } catch (IOException | java.io.UncheckedIOException _) {
            return List.of();
        }
    }

    @Override
    public Inside inside(String run) {
        try {
            var events = Files.readString(of(run).resolve("cgroup.events"));
            return events.contains("populated 0") ? Inside.NOBODY : Inside.SOMEBODY;
        } catch (IOException _) {
            return Inside.UNKNOWN;
        }
    }

    @Override
    public boolean isCertain() {
        return true;
    }

    @Override
    public boolean kill(String run) {
        return written(of(run).resolve("cgroup.kill"), "1");
    }

    @Override
    public boolean freeze(String run, Freezing freezing) {
        return written(of(run).resolve("cgroup.freeze"), freezing == Freezing.FREEZE ? "1" : "0");
    }

    private static boolean written(Path file, String text) {
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
    public Set<String> made() {
        if (!Files.isDirectory(base)) return Set.of();
        try (Stream<Path> all = Files.list(base)) {
            return all.filter(Files::isDirectory)
                    .map(group -> String.valueOf(group.getFileName()))
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
            LOG.log(System.Logger.Level.DEBUG, "somebody is still in " + base, e);
        }
    }

    @Override
    public void leave(String run) {
        for (var group : groups(run)) {
            try {
                Files.deleteIfExists(group);
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "taking away " + group, e);
            }
        }
    }
}
