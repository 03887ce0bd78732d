package dev.coppice.runner.raw;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Makes a file usable that its owner may not read, and restores its mode on close. A {@link Pin}
 * holds the file meanwhile, where the system has one, so a link put in its place is not followed.
 */
final class TemporaryMode implements AutoCloseable {
    private static final Set<PosixFilePermission> USABLE =
            Set.of(
                    PosixFilePermission.OWNER_READ,
                    PosixFilePermission.OWNER_WRITE,
                    PosixFilePermission.OWNER_EXECUTE);
    private final Handles.Entry entry;
    private final @Nullable Pin pin;

    private TemporaryMode(Handles.Entry entry, @Nullable Pin pin) {
        this.entry = entry;
        this.pin = pin;
    }

    /** Throws if another file has taken the place of the entry. */
    static TemporaryMode usable(Handles.Entry entry) throws IOException {
        var made = new TemporaryMode(entry, Pin.isPossible() ? Pin.of(entry.near()) : null);
        try {
            var key = Files.readAttributes(made.path(), BasicFileAttributes.class).fileKey();
            if (!Objects.equals(key, entry.attributes().fileKey())) {
                throw new PreservationFailed("'" + entry.path() + "' changed while it was read");
            }
            var more = new HashSet<>(entry.attributes().permissions());
            more.addAll(USABLE);
            Files.setPosixFilePermissions(made.path(), more);
            return made;
        } catch (IOException | PreservationFailed e) {
            made.letGo();
            throw e;
        }
    }

    private Path path() throws IOException {
        return pin == null ? entry.near() : pin.path();
    }

    @Override
    public void close() throws IOException {
        try {
            Files.setPosixFilePermissions(path(), entry.attributes().permissions());
        } finally {
            letGo();
        }
    }

    /** Closes the pin and leaves the file usable. */
    void letGo() {
        if (pin != null) pin.close();
    }
}
