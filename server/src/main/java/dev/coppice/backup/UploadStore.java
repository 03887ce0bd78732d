package dev.coppice.backup;

import dev.coppice.client.OwnerOnly;
import dev.coppice.kernel.WriteUnderWay;
import dev.coppice.removal.Backups;
import dev.coppice.wire.Reason;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
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
 * The directory of uploaded files. A file arrives in pieces, and a piece may arrive twice. The file
 * gets its name only after it was read back and matches its hash.
 */
public final class UploadStore {
    /** The limit of one file of preserved work or uploaded backup. */
    public static final long FILE_BYTES_MAX = 64L * 1024 * 1024 * 1024;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final int BUFFER_BYTES = 64 * 1024;
    private final Path directory;

    public UploadStore(Path directory) {
        this.directory = directory;
    }

    /** A file or a piece of it was refused. */
    public static final class NotTaken extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotTaken(String why) {
            super(why);
        }
    }

    private static Backups.NotWritten notWritten(Path file, IOException cause) {
        return new Backups.NotWritten(
                "cannot write '%s': %s".formatted(file, Reason.of(cause)), cause);
    }

    /** Returns the path of a file. Refuses a name that leads out of the directory. */
    public Path file(String task, String name) {
        if (!NAME.matcher(task).matches() || !NAME.matcher(name).matches()) {
            throw new NotTaken("a file cannot be called '%s/%s'".formatted(task, name));
        }
        return directory.resolve(task).resolve(name);
    }

    /** Returns the path of a file by its name in the database, {@code TASK/NAME}. */
    public Path file(String remembered) {
        var task = task(remembered);
        return file(task, remembered.substring(Math.min(remembered.length(), task.length() + 1)));
    }

    private static String task(String remembered) {
        int slash = remembered.indexOf('/');
        return slash < 0 ? remembered : remembered.substring(0, slash);
    }

    /** Stores a piece of a file. Throws {@link Backups.NotWritten} if the disk refuses it. */
    public synchronized void take(String task, String name, long offset, byte[] bytes) {
        WriteUnderWay.forbid("taking a part of a file");
        if (offset < 0 || offset + bytes.length > FILE_BYTES_MAX) {
            throw new NotTaken("the file is larger than %d bytes".formatted(FILE_BYTES_MAX));
        }
        var part = part(file(task, name));
        try {
            Files.createDirectories(part.getParent());
            OwnerOnly.create(part);
            try (var channel =
                    FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                if (channel.size() < offset) {
                    throw new NotTaken(
                            "a piece is missing: the file has %d bytes, and this piece starts at %d"
                                    .formatted(channel.size(), offset));
                }
                channel.truncate(offset);
                channel.position(offset);
                var buffer = ByteBuffer.wrap(bytes);
                while (buffer.hasRemaining()) channel.write(buffer);
            }
        } catch (IOException e) {
            throw notWritten(part, e);
        }
    }

    /** Reads the file back, and gives it its name if it has this size and hash. */
    public synchronized void complete(String remembered, String sha256, long size) {
        WriteUnderWay.forbid("reading a file back");
        var file = file(remembered);
        var part = part(file);
        try {
            var found = Files.exists(part) ? part : file;
            if (!Files.exists(found)) throw new NotTaken(remembered + " was never uploaded");
            if (Files.size(found) != size || !sha256.equals(sha256(found))) {
                throw new NotTaken(
                        "%s does not match its size or hash: it has %d bytes of %d"
                                .formatted(remembered, Files.size(found), size));
            }
            if (found.equals(file)) return;
            try (var channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            sync(directory.resolve(task(remembered)));
        } catch (IOException e) {
            throw notWritten(file, e);
        }
    }

    /** Writes a file as a whole; it gets its name when it is complete and synced. */
    void put(String remembered, InputStream in) throws IOException {
        var file = file(remembered);
        var part = part(file);
        Files.createDirectories(part.getParent());
        OwnerOnly.create(part);
        try (var out = Files.newOutputStream(part)) {
            copy(in, out, FILE_BYTES_MAX);
        }
        try (var channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        sync(directory.resolve(task(remembered)));
    }

    /** Fails above {@code bytesMax}: an entry may unpack to more than it declares. */
    static void copy(InputStream in, OutputStream out, long bytesMax) throws IOException {
        var buffer = new byte[BUFFER_BYTES];
        long size = 0;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            size += read;
            if (size > bytesMax) throw new IOException("larger than %d bytes".formatted(bytesMax));
            out.write(buffer, 0, read);
        }
    }

    /** Deletes the files of a directory task that is over. */
    void drop(String task) {
        var room = file(task, "x").getParent();
        if (room == null || !Files.isDirectory(room)) return;
        try (var all = Files.newDirectoryStream(room)) {
            for (var file : all) Files.deleteIfExists(file);
            Files.deleteIfExists(room);
        } catch (IOException e) {
            System.getLogger("backup").log(System.Logger.Level.WARNING, "emptying " + room, e);
        }
    }

    /** Syncs the directory, so that a new name survives a crash. */
    static void sync(Path directory) throws IOException {
        try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static Path part(Path file) {
        return file.resolveSibling(file.getFileName() + ".part");
    }

    public static String sha256(Path file) throws IOException {
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
