package dev.coppice.runner.raw;

import dev.coppice.runner.process.Native;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Makes a file usable that its owner may not read, and restores its mode on close. A descriptor
 * (O_PATH) holds the file meanwhile, so a link put in its place is not followed. The JDK cannot
 * open such a descriptor: it must be able to read the file first.
 */
final class TemporaryMode implements AutoCloseable {
    private static final Set<PosixFilePermission> USABLE =
            Set.of(
                    PosixFilePermission.OWNER_READ,
                    PosixFilePermission.OWNER_WRITE,
                    PosixFilePermission.OWNER_EXECUTE);
    private static final int NOT_OPEN = -1;
    private final Handles.Entry entry;
    private final int number;

    private TemporaryMode(Handles.Entry entry, int number) {
        this.entry = entry;
        this.number = number;
    }

    /** Throws if another file has taken the place of the entry. */
    static TemporaryMode usable(Handles.Entry entry) throws IOException {
        var pinned = new TemporaryMode(entry, isPossible() ? opened(entry) : NOT_OPEN);
        try {
            var key = Files.readAttributes(pinned.path(), BasicFileAttributes.class).fileKey();
            if (!Objects.equals(key, entry.attributes().fileKey())) {
                throw new PreservationFailed("'" + entry.path() + "' changed while it was read");
            }
            var more = new HashSet<>(entry.attributes().permissions());
            more.addAll(USABLE);
            Files.setPosixFilePermissions(pinned.path(), more);
            return pinned;
        } catch (IOException | PreservationFailed e) {
            pinned.letGo();
            throw e;
        }
    }

    private static boolean isPossible() {
        return Native.isAvailable() && Files.isDirectory(Path.of("/proc/self/fd"));
    }

    private static int opened(Handles.Entry entry) throws IOException {
        int number = Native.openPath(RawName.bytes(entry.path()));
        if (number < 0) throw new AccessDeniedException(entry.path().toString());
        return number;
    }

    private Path path() {
        return number == NOT_OPEN ? entry.path() : Path.of("/proc/self/fd/" + number);
    }

    @Override
    public void close() throws IOException {
        try {
            Files.setPosixFilePermissions(path(), entry.attributes().permissions());
        } finally {
            letGo();
        }
    }

    /** Closes the descriptor and leaves the file usable. */
    void letGo() {
        if (number != NOT_OPEN) Native.close(number);
    }
}
