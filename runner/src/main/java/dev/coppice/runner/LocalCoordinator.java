package dev.coppice.runner;

import dev.coppice.client.CoordinatorLock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

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

    /** The process that has locked the data directory; empty if none has, or if it is not known. */
    public OptionalLong holder() {
        try {
            if (!Files.isReadable(LOCKS) || !Files.exists(lock)) return OptionalLong.empty();
            var inode = ":" + Files.getAttribute(lock, "unix:ino") + " ";
            return Files.readAllLines(LOCKS).stream()
                    .filter(line -> line.contains(inode) && !line.contains("->"))
                    .mapToLong(line -> Long.parseLong(line.strip().split(" +", -1)[4]))
                    .findFirst();
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException _) {
            return OptionalLong.empty();
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
