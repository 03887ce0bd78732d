package dev.coppice.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Takes from everyone but its owner what a file or directory allows; one of another user stays. */
public final class OwnerOnly {
    private static final Set<PosixFilePermission> DIRECTORY =
            PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE =
            PosixFilePermissions.fromString("rw-------");

    private OwnerOnly() {}

    /** Makes it if it is not there. Throws when it is open to others and cannot be closed. */
    public static void directory(Path directory) throws IOException {
        Files.createDirectories(directory);
        restrict(directory, DIRECTORY);
    }

    /** The same for a file, if it is there. */
    public static void file(Path file) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) restrict(file, FILE);
    }

    private static void restrict(Path path, Set<PosixFilePermission> to) throws IOException {
        try {
            if (!to.containsAll(Files.getPosixFilePermissions(path))) {
                Files.setPosixFilePermissions(path, to);
            }
        } catch (UnsupportedOperationException _) {
            // Not a POSIX file system; its own rules for home directories have to do.
        }
    }
}
