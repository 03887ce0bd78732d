package dev.coppice.cli.doctor;

import dev.coppice.cli.engine.Connection;
import dev.coppice.client.CoordinatorLock;
import dev.coppice.runner.directory.AgentDirectories;
import dev.coppice.session.StateWord;

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

/** The doctor's check of locks: the coordinator's own, and those that a killed git leaves. */
final class Locks {
    private static final Duration OLD = Duration.ofMinutes(10);
    private static final List<String> GIT_LOCKS = List.of("index.lock", "HEAD.lock", "config.lock");
    private final Connection connection;
    private final Path data;
    private final boolean fix;
    private final CheckReport findings;
    private final Set<Path> busy = new HashSet<>();
    private final Set<Path> others = new HashSet<>();

    Locks(Connection connection, Path data, boolean fix, CheckReport findings) {
        this.connection = connection;
        this.data = data.toAbsolutePath().normalize();
        this.fix = fix;
        this.findings = findings;
    }

    void look() {
        checkCoordinatorLock();
        var made = data.resolve("runner").resolve("work");
        for (var session : connection.sessions(null)) {
            var own = session.projectDir();
            var directory =
                    own == null
                            ? made.resolve(AgentDirectories.safe(session.sessionId()))
                            : Path.of(own).toAbsolutePath().normalize();
            if (StateWord.ALIVE.contains(session.state())) busy.add(directory);
            else if (own != null) others.add(directory);
        }
        int found = 0;
        for (var directory : below(made)) found += checkGitLocks(directory, fix);
        for (var directory : others) found += checkGitLocks(directory, false);
        if (found == 0) findings.good("locks", "none was left behind");
    }

    /** A held lock has a live holder: the kernel releases the locks of dead processes. */
    private void checkCoordinatorLock() {
        var file = data.resolve(CoordinatorLock.FILE);
        if (!Files.exists(file)) return;
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            var lock = channel.tryLock();
            if (lock != null) {
                findings.told("locks", "the coordinator that answers does not use " + data);
            }
        } catch (IOException e) {
            findings.told("locks", "cannot check " + file + ": " + e.getMessage());
        }
    }

    private int checkGitLocks(Path directory, boolean mend) {
        var git = git(directory);
        if (git == null || isBusy(directory)) return 0;
        int found = 0;
        for (var name : GIT_LOCKS) {
            var lock = git.resolve(name);
            if (!Files.exists(lock) || !isOld(lock)) continue;
            found++;
            if (!mend) {
                var advice =
                        directory.startsWith(data)
                                ? "; --fix deletes it"
                                : "; delete it if no git runs there";
                findings.wrong("locks", lock + " exists but no session is live there" + advice);
                continue;
            }
            try {
                Files.delete(lock);
                findings.mended("locks", lock + " was left behind: deleted");
            } catch (IOException e) {
                findings.wrong("locks", "cannot delete " + lock + ": " + e.getMessage());
            }
        }
        return found;
    }

    /** True if a live session works in this directory, above it or below it. */
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

    /** True if the lock is older than any git command holds one without waiting for a user. */
    private static boolean isOld(Path lock) {
        try {
            var made = Files.getLastModifiedTime(lock).toInstant();
            return made.isBefore(InstantSource.system().instant().minus(OLD));
        } catch (IOException _) {
            return false;
        }
    }

    /** The git directory of this work tree alone; in a linked one, the file .git names it. */
    private static @Nullable Path git(Path directory) {
        var git = directory.resolve(".git");
        try {
            if (Files.isDirectory(git)) return git;
            if (!Files.isRegularFile(git)) return null;
            var text = Files.readString(git).strip();
            return text.startsWith("gitdir: ")
                    ? directory.resolve(text.substring("gitdir: ".length())).normalize()
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
