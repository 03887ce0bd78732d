package dev.coppice.runner;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Locks a runner's directory to one process. Host, directory and profile determine the runner's id,
 * so a second process there would act as the same runner and end the first one's agents.
 */
public final class DirectoryLock implements AutoCloseable {
    private static final String LOCK = "lock";

    /**
     * Separate from the lock file: opening and closing that file would release this process's lock.
     */
    private static final String HOLDER = "holder";

    private final FileChannel channel;
    private final FileLock lock;

    private DirectoryLock(FileChannel channel, FileLock lock) {
        this.channel = channel;
        this.lock = lock;
    }

    /** Another process already runs in this directory. */
    public static final class Taken extends RuntimeException {
        private static final long serialVersionUID = 1;

        Taken(Path directory, String holder) {
            super(
                    "the runner directory \"%s\" is in use by %s; stop it, or choose another"
                            .formatted(directory, holder));
        }
    }

    static DirectoryLock of(Path directory) {
        try {
            var channel =
                    FileChannel.open(
                            directory.resolve(LOCK),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            var lock = tryLock(channel);
            if (lock == null) {
                channel.close();
                throw new Taken(directory, holder(directory));
            }
            Files.writeString(
                    directory.resolve(HOLDER), "process " + ProcessHandle.current().pid());
            return new DirectoryLock(channel, lock);
        } catch (IOException e) {
            throw new UncheckedIOException("locking " + directory, e);
        }
    }

    /** Returns whether another process holds the lock. */
    public static boolean isHeld(Path directory) {
        var file = directory.resolve(LOCK);
        if (!Files.exists(file)) return false;
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            return tryLock(channel) == null;
        } catch (IOException e) {
            throw new UncheckedIOException("checking " + file, e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException _) {
            return null;
        }
    }

    private static String holder(Path directory) throws IOException {
        var holder = directory.resolve(HOLDER);
        return Files.exists(holder) ? Files.readString(holder).strip() : "another process";
    }

    @Override
    public void close() {
        try {
            lock.release();
            channel.close();
        } catch (IOException e) {
            System.getLogger("runner").log(System.Logger.Level.WARNING, "releasing the lock", e);
        }
    }
}
