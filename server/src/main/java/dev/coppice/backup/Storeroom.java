package dev.coppice.backup;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The directory with the files that runners have handed in. A file comes in pieces, is read back
 * and held against its hash, and only then has its name; a piece that comes twice is written once.
 */
public final class Storeroom {
    /** The most that one file may hold: kept work, or a backup that is handed in. */
    public static final long FILE_BYTES_MAX = 64L * 1024 * 1024 * 1024;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final int BUFFER_BYTES = 64 * 1024;
    private final Path directory;

    public Storeroom(Path directory) {
        this.directory = directory;
    }

    /** It is not what was said, or not wanted. */
    public static final class NotTaken extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotTaken(String why) {
            super(why);
        }
    }

    /** Where it lies, or will; a name never leads out of the directory. */
    public Path file(String errand, String name) {
        if (!NAME.matcher(errand).matches() || !NAME.matcher(name).matches()) {
            throw new NotTaken("a file cannot be called '%s/%s'".formatted(errand, name));
        }
        return directory.resolve(errand).resolve(name);
    }

    /** The same, by the one name it is remembered by. */
    public Path file(String remembered) {
        var errand = errand(remembered);
        return file(
                errand, remembered.substring(Math.min(remembered.length(), errand.length() + 1)));
    }

    private static String errand(String remembered) {
        int slash = remembered.indexOf('/');
        return slash < 0 ? remembered : remembered.substring(0, slash);
    }

    public synchronized void take(String errand, String name, long offset, byte[] bytes) {
        if (offset < 0 || offset + bytes.length > FILE_BYTES_MAX) {
            throw new NotTaken("it is larger than %d bytes".formatted(FILE_BYTES_MAX));
        }
        var part = part(file(errand, name));
        try {
            Files.createDirectories(part.getParent());
            try (var channel =
                    FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                if (channel.size() < offset) {
                    throw new NotTaken(
                            "a piece is missing: %d bytes are there, and it goes on at %d"
                                    .formatted(channel.size(), offset));
                }
                channel.truncate(offset);
                channel.position(offset);
                var buffer = ByteBuffer.wrap(bytes);
                while (buffer.hasRemaining()) channel.write(buffer);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("keeping " + part, e);
        }
    }

    /** Reads back what came, and gives it its name when it is what it should be. */
    public synchronized void complete(String remembered, String sha256, long size) {
        var file = file(remembered);
        var part = part(file);
        try {
            var found = Files.exists(part) ? part : file;
            if (!Files.exists(found)) throw new NotTaken(remembered + " was never handed in");
            if (Files.size(found) != size || !sha256.equals(sha256(found))) {
                throw new NotTaken(
                        "%s is not what was handed in: %d bytes of %d are there, or others"
                                .formatted(remembered, Files.size(found), size));
            }
            if (found.equals(file)) return;
            try (var channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            sync(directory.resolve(errand(remembered)));
        } catch (IOException e) {
            throw new UncheckedIOException("keeping " + file, e);
        }
    }

    /** All of it at once; it has its name when it is whole and synced. */
    void put(String remembered, InputStream in) throws IOException {
        var file = file(remembered);
        var part = part(file);
        Files.createDirectories(part.getParent());
        try (var out = Files.newOutputStream(part)) {
            copy(in, out, FILE_BYTES_MAX);
        }
        try (var channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        sync(directory.resolve(errand(remembered)));
    }

    /** What unpacks to more than was promised is not taken. */
    static void copy(InputStream in, OutputStream out, long bytesMax) throws IOException {
        var buffer = new byte[BUFFER_BYTES];
        long size = 0;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            size += read;
            if (size > bytesMax) throw new IOException("it is larger than %d".formatted(bytesMax));
            out.write(buffer, 0, read);
        }
    }

    /** What was handed in for an errand that is over is needed no more. */
    void drop(String errand) {
        var room = file(errand, "x").getParent();
        if (room == null || !Files.isDirectory(room)) return;
        try (var all = Files.newDirectoryStream(room)) {
            for (var file : all) Files.deleteIfExists(file);
            Files.deleteIfExists(room);
        } catch (IOException e) {
            System.getLogger("backup").log(System.Logger.Level.WARNING, "clearing " + room, e);
        }
    }

    /** So that the name is as lasting as what it names. */
    static void sync(Path directory) throws IOException {
        try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static Path part(Path file) {
        return file.resolveSibling(file.getFileName() + ".part");
    }

    static String sha256(Path file) throws IOException {
        var digest = digest();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            var buffer = new byte[BUFFER_BYTES];
            int read = in.read(buffer);
            while (read >= 0) read = in.read(buffer);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
