package dev.coppice.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A coordinator on this machine, known by the lock it holds on its data directory as long as it
 * lives. An address that nobody answers proves nothing: the way there may be broken. A lock that
 * nobody holds does.
 */
public final class Neighbour {
    private static final Path LOCKS = Path.of("/proc/locks");
    private final Path lock;

    public Neighbour(Path lock) {
        this.lock = lock;
    }

    /** True only where that can be known; the lock itself is not touched. */
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
