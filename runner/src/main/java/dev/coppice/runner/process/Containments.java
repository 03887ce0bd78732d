package dev.coppice.runner.process;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Detects by trial which containments this machine offers to this user. */
final class Containments {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final int TRIAL_SECONDS_MAX = 5;
    private static final String GROUP = "cgroup";
    private static final String TRIAL = "trial";

    private Containments() {}

    /** Returns the wanted containment; for {@code auto}, the best that this machine offers. */
    static Containment best(Path directory, String wanted) {
        return switch (wanted) {
            case "lineage" -> new Lineage();
            case "cgroup" -> cgroup(directory).orElseThrow(() -> impossible(wanted));
            case "namespace" -> namespace(true).orElseThrow(() -> impossible(wanted));
            case "auto" -> cgroup(directory).or(() -> namespace(false)).orElseGet(Lineage::new);
            default ->
                    throw new IllegalArgumentException(
                            "COPPICE_CONTAINMENT is '%s'; it must be one of %s"
                                    .formatted(wanted, "auto, cgroup, namespace, lineage"));
        };
    }

    /** Like {@link #best}, but removes what it created. For callers that start no agents. */
    static Containment probe(Path directory, String wanted) {
        var written = directory.resolve(GROUP);
        boolean known = Files.exists(written);
        var found = best(directory, wanted);
        if (known) return found;
        found.close();
        try {
            Files.deleteIfExists(written);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "deleting " + written, e);
        }
        return found;
    }

    private static IllegalArgumentException impossible(String wanted) {
        return new IllegalArgumentException(
                "COPPICE_CONTAINMENT is '%s', which this user cannot use here; choose auto"
                        .formatted(wanted));
    }

    private static Optional<Containment> cgroup(Path directory) {
        // An earlier process of this runner may have been in another group, with its leftovers.
        var earlier = earlierGroup(directory).flatMap(Containments::tried);
        if (earlier.isPresent()) return earlier;
        var own = ownGroup();
        if (own == null) return Optional.empty();
        var name = "coppice-" + Integer.toHexString(directory.toString().hashCode());
        var base = own.resolve(name);
        try {
            Files.createDirectories(base);
            var group = tried(base);
            if (group.isPresent()) {
                Files.createDirectories(directory);
                Files.writeString(directory.resolve(GROUP), base.toString());
            }
            return group;
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** Returns the group that this runner used before, if it still exists. */
    private static Optional<Path> earlierGroup(Path directory) {
        try {
            var written = directory.resolve(GROUP);
            return Files.exists(written)
                    ? Optional.of(Path.of(Files.readString(written))).filter(Files::isDirectory)
                    : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private static Optional<Containment> tried(Path base) {
        var group = new Cgroup(base);
        boolean works =
                Files.exists(base.resolve("cgroup.kill"))
                        && runs(group.prepare(TRIAL).around(TRIAL, List.of("true")));
        group.cleanUp(TRIAL);
        return works ? Optional.of(group) : Optional.empty();
    }

    /** Returns our own group in the version 2 hierarchy, which may be mounted beside version 1. */
    private static @Nullable Path ownGroup() {
        try {
            var mount =
                    Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                            .filter(line -> line.contains(" - cgroup2 "))
                            .map(line -> line.split(" ", -1)[4])
                            .findFirst();
            var own =
                    Files.readAllLines(Path.of("/proc/self/cgroup")).stream()
                            .filter(line -> line.startsWith("0::"))
                            .map(line -> line.substring("0::/".length()))
                            .findFirst();
            return mount.isPresent() && own.isPresent()
                    ? Path.of(mount.get()).resolve(own.get())
                    : null;
        } catch (IOException _) {
            return null;
        }
    }

    /**
     * Tries a PID namespace. Uses a user namespace only if {@code wanted}, because programs such as
     * sudo, which an agent may need, do not work in one.
     */
    private static Optional<Containment> namespace(boolean wanted) {
        var plain = List.of("unshare", "--pid", "--fork", "--mount-proc", "--kill-child");
        if (runs(with(plain))) return Optional.of(new Namespace(plain));
        if (!wanted) return Optional.empty();
        var users = new ArrayList<>(plain);
        users.addAll(1, List.of("--user", "--map-current-user"));
        return runs(with(users)) ? Optional.of(new Namespace(users)) : Optional.empty();
    }

    private static List<String> with(List<String> unshare) {
        var line = new ArrayList<>(unshare);
        line.add("true");
        return line;
    }

    static boolean runs(List<String> line) {
        try {
            var process =
                    new ProcessBuilder(line)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            boolean ended = process.waitFor(TRIAL_SECONDS_MAX, TimeUnit.SECONDS);
            if (!ended) process.destroyForcibly();
            return ended && process.exitValue() == 0;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "trying " + line, e);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
