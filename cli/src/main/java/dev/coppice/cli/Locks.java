package dev.coppice.cli;

import dev.coppice.runner.Workplace;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The doctor's look at locks: the coordinator's own, and those git leaves when it is killed. */
final class Locks {
    private static final Duration OLD = Duration.ofMinutes(10);
    private static final Set<String> ALIVE = Set.of("pending", "running", "idle", "stopping");
    private static final List<String> GITS = List.of("index.lock", "HEAD.lock", "config.lock");
    private final Connection connection;
    private final Path data;
    private final boolean fix;
    private final Findings findings;
    private final Set<Path> busy = new HashSet<>();
    private final Set<Path> others = new HashSet<>();

    Locks(Connection connection, Path data, boolean fix, Findings findings) {
        this.connection = connection;
        this.data = data.toAbsolutePath().normalize();
        this.fix = fix;
        this.findings = findings;
    }

    void look() {
        coordinators();
        var made = data.resolve("runner").resolve("work");
        for (var session : connection.sessions(null)) {
            var own = session.projectDir();
            var directory =
                    own == null
                            ? made.resolve(Workplace.safe(session.sessionId()))
                            : Path.of(own).toAbsolutePath().normalize();
            if (ALIVE.contains(session.state())) busy.add(directory);
            else if (own != null) others.add(directory);
        }
        int found = 0;
        for (var directory : below(made)) found += gits(directory, fix);
        for (var directory : others) found += gits(directory, false);
        if (found == 0) findings.good("locks", "nobody left one behind");
    }

    /** Whoever holds it is alive: the kernel takes it away from the dead. */
    private void coordinators() {
        var file = data.resolve("lock");
        if (!Files.exists(file)) return;
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            var lock = channel.tryLock();
            if (lock != null) {
                findings.told("locks", "no coordinator uses " + data + " now; another one answers");
            }
        } catch (IOException e) {
            findings.told("locks", "cannot look at " + file + ": " + e.getMessage());
        }
    }

    private int gits(Path directory, boolean mend) {
        var git = git(directory);
        if (git == null || isBusy(directory)) return 0;
        int found = 0;
        for (var name : GITS) {
            var lock = git.resolve(name);
            if (!Files.exists(lock) || !isOld(lock)) continue;
            found++;
            if (!mend) {
                var advice =
                        directory.startsWith(data)
                                ? "; --fix takes it away"
                                : "; if no git runs there, take it away";
                findings.wrong("locks", lock + " is there and nothing of ours is at work" + advice);
                continue;
            }
            try {
                Files.delete(lock);
                findings.mended("locks", lock + " was left behind: taken away");
            } catch (IOException e) {
                findings.wrong("locks", "cannot take away " + lock + ": " + e.getMessage());
            }
        }
        return found;
    }

    /** Also when someone works somewhere inside of it, or it is inside of where someone works. */
    private boolean isBusy(Path directory) {
        var real = real(directory);
        return busy.stream()
                .map(Locks::real)
                .anyMatch(b -> b.startsWith(real) || real.startsWith(b));
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException _) {
            return path;
        }
    }

    /** No git holds one for as long as this over anything that it does by itself. */
    private static boolean isOld(Path lock) {
        try {
            var made = Files.getLastModifiedTime(lock).toInstant();
            return made.isBefore(InstantSource.system().instant().minus(OLD));
        } catch (IOException _) {
            return false;
        }
    }

    /** Where git keeps what belongs to this directory alone; in a worktree a file says where. */
    private static @Nullable Path git(Path directory) {
        var git = directory.resolve(".git");
        try {
            if (Files.isDirectory(git)) return git;
            if (!Files.isRegularFile(git)) return null;
            var said = Files.readString(git).strip();
            return said.startsWith("gitdir: ")
                    ? directory.resolve(said.substring("gitdir: ".length())).normalize()
                    : null;
        } catch (IOException _) {
            return null;
        }
    }

    private static List<Path> below(Path directory) {
        if (!Files.isDirectory(directory)) return List.of();
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(Files::isDirectory).toList();
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + directory, e);
        }
    }
}
