package dev.coppice.dist;

import dev.coppice.tar.Tar;
import dev.coppice.tar.Tar.Header;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** A compressed archive of a directory, in which nothing tells who made it, or when. */
final class Tarball {
    private static final int OF_PROGRAMS = 0755;
    private static final int OF_TEXTS = 0644;
    private static final int BUFFER_BYTES = 64 * 1024;

    private Tarball() {}

    /** Writes what is in a directory, in the order of the paths, below the given prefix. */
    static void write(Path directory, String prefix, Instant time, Path to) throws IOException {
        try (var out = new Compressed(new BufferedOutputStream(Files.newOutputStream(to)))) {
            for (var path : paths(directory)) {
                var header = header(path, prefix + "/" + directory.relativize(path), time);
                Tar.write(header, out);
                if (header.type() == Header.FILE) contents(path, out);
            }
            out.write(new byte[2 * Tar.BLOCK_BYTES]);
        }
    }

    private static final class Compressed extends GZIPOutputStream {
        Compressed(OutputStream out) throws IOException {
            super(out, BUFFER_BYTES);
            def.setLevel(Deflater.BEST_COMPRESSION);
        }
    }

    private static void contents(Path path, OutputStream out) throws IOException {
        long size = Files.size(path);
        Files.copy(path, out);
        out.write(new byte[(int) (Tar.padded(size) - size)]);
    }

    private static Header header(Path path, String name, Instant time) throws IOException {
        if (Files.isSymbolicLink(path)) {
            var link = Files.readSymbolicLink(path).toString();
            return new Header(name, Header.LINK, OF_PROGRAMS, 0, time, link, List.of());
        }
        boolean isDirectory = Files.isDirectory(path);
        return new Header(
                isDirectory ? name + "/" : name,
                isDirectory ? Header.DIRECTORY : Header.FILE,
                isDirectory || Files.isExecutable(path) ? OF_PROGRAMS : OF_TEXTS,
                isDirectory ? 0 : Files.size(path),
                time,
                "",
                List.of());
    }

    private static List<Path> paths(Path directory) throws IOException {
        try (var all = Files.walk(directory)) {
            return all.filter(path -> !path.equals(directory)).sorted().toList();
        }
    }
}
