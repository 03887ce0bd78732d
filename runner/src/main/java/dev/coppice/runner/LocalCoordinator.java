package dev.coppice.runner;

import dev.coppice.client.CoordinatorLock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;

/**
 * A coordinator on this machine, identified by the lock that it holds on its data directory while
 * it answers requests. An unreachable address does not prove that it is away, because the network
 * may be down. A free lock does.
 */
public final class LocalCoordinator {
    private static final Path LOCKS = Path.of("/proc/locks");
    private static final String TO_THE_END = "EOF";
    private final Path lock;

    private LocalCoordinator(Path lock) {
        this.lock = lock;
    }

    /** The coordinator that uses this data directory. */
    public static LocalCoordinator in(Path data) {
        return new LocalCoordinator(data.resolve(CoordinatorLock.FILE));
    }

    /**
     * True if the coordinator is known to be away: it is gone, or it is starting and waits for its
     * database. Reads /proc/locks and does not touch the lock.
     */
    boolean isAway() {
        try {
            if (!Files.isReadable(LOCKS) || !Files.exists(lock)) return false;
            var inode = ":" + Files.getAttribute(lock, "unix:ino") + " ";
            return Files.readAllLines(LOCKS).stream()
                    .noneMatch(line -> line.contains(inode) && isServing(line));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException _) {
            return false;
        }
    }

    /**
     * A process that has locked the data directory, and whether it is a coordinator that answers
     * requests. Another one is still starting, or changes the database.
     */
    public record Holder(long pid, boolean isServing) {}

    /** The process that has locked the data directory; empty if none has, or if it is not known. */
    public Optional<Holder> holder() {
        try {
            if (!Files.isReadable(LOCKS) || !Files.exists(lock)) return Optional.empty();
            var inode = ":" + Files.getAttribute(lock, "unix:ino") + " ";
            return Files.readAllLines(LOCKS).stream()
                    .filter(line -> line.contains(inode) && !line.contains("->"))
                    .map(line -> new Holder(pid(line), isServing(line)))
                    .filter(holder -> hasOpened(holder.pid()))
                    .max(Comparator.comparing(Holder::isServing));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException _) {
            // This system does not tell who has locked a file.
            return Optional.empty();
        }
    }

    private static long pid(String line) {
        return Long.parseLong(line.strip().split(" +", -1)[4]);
    }

    /** Files of two file systems can have the same number: only one of them is this lock. */
    private boolean hasOpened(long pid) {
        try (var open = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            var file = lock.toRealPath();
            return open.anyMatch(each -> isLink(each, file));
        } catch (IOException | UncheckedIOException _) {
            // It has ended, or belongs to another user.
            return false;
        }
    }

    private static boolean isLink(Path descriptor, Path file) {
        try {
            return Files.readSymbolicLink(descriptor).equals(file);
        } catch (IOException _) {
            return false;
        }
    }

    /**
     * A line ends with the first and the last byte of the lock. The kernel merges adjacent locks.
     */
    private static boolean isServing(String line) {
        var words = line.strip().split(" +", -1);
        var last = words[words.length - 1];
        return last.equals(TO_THE_END) || Long.parseLong(last) >= CoordinatorLock.SERVING_BYTE;
    }
}
