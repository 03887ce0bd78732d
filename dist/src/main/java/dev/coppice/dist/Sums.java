package dev.coppice.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Files of checksums, as {@code sha256sum} writes and reads them. */
final class Sums {
    private Sums() {}

    static String sha256(Path file) throws IOException {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            try (var in = new DigestInputStream(Files.newInputStream(file), digest)) {
                in.transferTo(java.io.OutputStream.nullOutputStream());
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Writes the sums of all regular files below a directory. */
    static void write(Path directory, Path to) throws IOException {
        write(directory, to, files(directory));
    }

    /** Writes the sums of files, by their paths from a directory. */
    static void write(Path directory, Path to, List<Path> files) throws IOException {
        var text = new StringBuilder();
        for (var file : files) {
            text.append(sha256(file)).append("  ").append(directory.relativize(file)).append('\n');
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
