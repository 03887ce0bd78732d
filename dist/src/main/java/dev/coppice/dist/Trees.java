package dev.coppice.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;

/** Directories and files of the archive before it is packed. */
final class Trees {
    private Trees() {}

    /** Gives everything one time: that of the commit. */
    static void touch(Path directory, Instant time) throws IOException {
        var at = FileTime.from(time);
        for (var path : all(directory)) {
            Files.getFileAttributeView(
                            path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .setTimes(at, at, null);
        }
    }

    /** Writes a program. */
    static void program(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        executable(file);
    }

    static void executable(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    static void text(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static List<Path> all(Path directory) throws IOException {
        try (var paths = Files.walk(directory)) {
            return paths.toList();
        }
    }
}
