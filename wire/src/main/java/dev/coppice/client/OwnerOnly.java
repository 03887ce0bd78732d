package dev.coppice.client;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Restricts files and directories to their owner. */
public final class OwnerOnly {
    private static final Set<PosixFilePermission> DIRECTORY =
            PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE =
            PosixFilePermissions.fromString("rw-------");

    private OwnerOnly() {}

    /** Creates the directory if it is missing. Throws if it is open to others and stays so. */
    public static void directory(Path directory) throws IOException {
        Files.createDirectories(directory);
        restrict(directory, DIRECTORY);
    }

    /** Restricts a file if it exists. */
    public static void file(Path file) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) restrict(file, FILE);
    }

    /** Creates an empty file before anything secret is written to it; restricts one that exists. */
    public static void create(Path file) throws IOException {
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(FILE));
        } catch (FileAlreadyExistsException _) {
            restrict(file, FILE);
        } catch (UnsupportedOperationException _) {
            // Not a POSIX file system: its defaults for home directories have to suffice.
        }
    }

    /** Replaces the content of a file at once, and restricts it to its owner. */
    public static void write(Path file, String text) throws IOException {
        var beside = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(beside);
        create(beside);
        Files.writeString(beside, text);
        Files.move(
                beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void restrict(Path path, Set<PosixFilePermission> to) throws IOException {
        try {
            if (!to.containsAll(Files.getPosixFilePermissions(path))) {
                Files.setPosixFilePermissions(path, to);
            }
        } catch (UnsupportedOperationException _) {
            // Not a POSIX file system: its defaults for home directories have to suffice.
        }
    }
}
