package dev.coppice.dist;

import dev.coppice.backup.UploadStore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/** Files of checksums, as {@code sha256sum} writes and reads them. */
final class Sums {
    private Sums() {}

    /** Writes the sums of all regular files below a directory. */
    static void write(Path directory, Path to) throws IOException {
        write(directory, to, files(directory));
    }

    /** Writes the sums of files, by their paths from a directory. */
    static void write(Path directory, Path to, List<Path> files) throws IOException {
        var text = new StringBuilder();
        for (var file : files) {
            text.append(UploadStore.sha256(file))
                    .append("  ")
                    .append(directory.relativize(file))
                    .append('\n');
        }
        Files.writeString(to, text);
    }

    private static List<Path> files(Path directory) throws IOException {
        try (var all = Files.walk(directory)) {
            return all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .toList();
        }
    }
}
