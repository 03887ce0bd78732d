package dev.coppice.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A coordinator on this machine, identified by the lock that it holds on its data directory while
 * it lives. An unreachable address does not prove that it is gone, because the network may be down.
 * A free lock does.
 */
public final class LocalCoordinator {
    private static final Path LOCKS = Path.of("/proc/locks");
    private final Path lock;

    public LocalCoordinator(Path lock) {
        this.lock = lock;
    }

    /**
     * True if the coordinator is known to be gone. Reads /proc/locks and does not touch the lock.
     */
    boolean isGone() {
        try {
            if (!Files.isReadable(LOCKS) || !Files.exists(lock)) return false;
            var inode = ":" + Files.getAttribute(lock, "unix:ino") + " ";
            return Files.readAllLines(LOCKS).stream().noneMatch(line -> line.contains(inode));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException _) {
            return false;
        }
    }
}
