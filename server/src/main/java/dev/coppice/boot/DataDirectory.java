package dev.coppice.boot;

import dev.coppice.client.CoordinatorLock;
import dev.coppice.client.OwnerOnly;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/** The data directory, locked by the one coordinator that uses it. */
public final class DataDirectory implements AutoCloseable {
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rw-------");

    /** The file with the address for other machines. */
    public static final String BEYOND = "listening";

    /** Older versions created these files readable by others. */
    private static final List<String> SECRET =
            List.of("coppice.db", "coppice.db-wal", "coppice.db-shm", "token");

    private final Path path;
    private final FileChannel channel;
    private final FileLock lock;
    private final boolean wasKilled;
    private volatile boolean announced;
    private @Nullable FileLock serving;

    private DataDirectory(Path path, FileChannel channel, FileLock lock) {
        this.path = path;
        this.channel = channel;
        this.lock = lock;
        this.wasKilled = Files.exists(path.resolve("url"));
    }

    /** A coordinator cannot start here. */
    public static final class Unusable extends RuntimeException {
        private static final long serialVersionUID = 1;

        public Unusable(String message) {
            super(message);
        }
    }

    public static DataDirectory open(Path asked) {
        var path = asked.toAbsolutePath().normalize();
        try {
            if (!Files.isDirectory(path)) {
                if (Files.exists(path)) {
                    throw new Unusable("the data directory %s is a file".formatted(path));
                }
                Files.createDirectories(path);
                restrict(path, PosixFilePermissions.fromString("rwx------"));
            }
            if (!Files.isReadable(path) || !Files.isWritable(path)) {
                throw new Unusable(
                        "the data directory %s cannot be read and written".formatted(path));
            }
            OwnerOnly.directory(path);
            for (var name : SECRET) OwnerOnly.file(path.resolve(name));
            var directory = lock(path);
            directory.nativeLibraries();
            return directory;
        } catch (IOException e) {
            throw new Unusable(
                    "the data directory %s cannot be used: %s".formatted(path, reason(e)));
        }
    }

    /**
     * Creates the directory where the database driver unpacks its library. A killed process leaves
     * its copy behind; the next start deletes it. A library stays loaded when its file is deleted.
     */
    private void nativeLibraries() throws IOException {
        try (var left = Files.newDirectoryStream(Files.createDirectories(libraries(path)))) {
            for (var one : left) Files.deleteIfExists(one);
        }
    }

    /**
     * Lets the database driver of this process unpack its library in the data directory. The driver
     * has one such directory, so a process calls this once, before it opens the directory.
     */
    public static void unpackDriverIn(Path asked) {
        var libraries = libraries(asked.toAbsolutePath().normalize()).toString();
        System.getProperties().putIfAbsent("org.sqlite.tmpdir", libraries);
    }

    private static Path libraries(Path directory) {
        return directory.resolve("native");
    }

    /** Explains JDK exceptions whose message is only the path. */
    private static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException _ -> "access is denied";
            case FileAlreadyExistsException _ -> "a part of it is a file";
            default -> String.valueOf(e.getMessage());
        };
    }

    private static DataDirectory lock(Path path) throws IOException {
        var channel =
                FileChannel.open(
                        path.resolve(CoordinatorLock.FILE),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
        @Nullable FileLock lock;
        try {
            lock = channel.tryLock(CoordinatorLock.OWNER_BYTE, 1, false);
        } catch (OverlappingFileLockException _) {
            lock = null;
        }
        if (lock == null) {
            channel.close();
            throw new Unusable("another coordinator already uses the data directory " + path);
        }
        return new DataDirectory(path, channel, lock);
    }

    /**
     * Tells the runners of this machine that this coordinator renews leases from now on. It must
     * extend all leases after this call and before its first request: a runner counts the time of a
     * lease from the moment at which it last saw no coordinator.
     */
    void serve() {
        try {
            if (serving == null) serving = channel.lock(CoordinatorLock.SERVING_BYTE, 1, false);
        } catch (IOException e) {
            throw new Unusable(
                    "the data directory %s cannot be locked: %s".formatted(path, reason(e)));
        }
    }

    /** True if the last coordinator was killed: it did not delete the file with its address. */
    boolean wasKilled() {
        return wasKilled;
    }

    public Path database() {
        return path.resolve("coppice.db");
    }

    /** Each registry has a directory of its own here. */
    public Path registries() {
        return path;
    }

    public Path path() {
        return path;
    }

    /** Returns the token; the first start creates it, readable by its owner only. */
    public String token() {
        var file = path.resolve("token");
        try {
            if (Files.exists(file)) {
                var token = Files.readString(file).strip();
                if (token.isEmpty())
                    throw new Unusable("the token file %s is empty".formatted(file));
                return token;
            }
            var random = new byte[24];
            new SecureRandom().nextBytes(random);
            var token = "cop_" + HexFormat.of().formatHex(random);
            var beside = path.resolve("token.new");
            Files.deleteIfExists(beside);
            Files.createFile(beside);
            restrict(beside, OWNER_ONLY);
            Files.writeString(beside, token + "\n");
            Files.move(beside, file);
            return token;
        } catch (IOException e) {
            throw new Unusable(
                    "the token file %s cannot be used: %s".formatted(file, e.getMessage()));
        }
    }

    /** Writes the address of the coordinator for the command line. */
    public void announce(String url) {
        try {
            Files.writeString(path.resolve("url"), url + "\n");
            announced = true;
        } catch (IOException e) {
            throw new Unusable(
                    "%s cannot be written: %s".formatted(path.resolve("url"), e.getMessage()));
        }
    }

    /** Writes the address for other machines, which 'doctor' looks at; null if there is none. */
    void announceBeyond(@Nullable String beyond) {
        var file = path.resolve(BEYOND);
        try {
            if (beyond == null) Files.deleteIfExists(file);
            else Files.writeString(file, beyond + "\n");
        } catch (IOException e) {
            throw new Unusable("%s cannot be written: %s".formatted(file, e.getMessage()));
        }
    }

    /** Restricts a directory of backups to its owner: they contain all output of sessions. */
    static void restrict(Path directory) {
        try {
            OwnerOnly.directory(directory);
        } catch (IOException e) {
            throw new Unusable(
                    "the directory %s cannot be restricted to its owner: %s"
                            .formatted(directory, reason(e)));
        }
    }

    private static void restrict(Path file, Set<PosixFilePermission> to) throws IOException {
        try {
            Files.setPosixFilePermissions(file, to);
        } catch (UnsupportedOperationException _) {
            // Not a POSIX file system: its default permissions must suffice.
        }
    }

    @Override
    public void close() {
        try {
            // A failed start leaves the file, which shows that the last coordinator was killed.
            if (announced) {
                Files.deleteIfExists(path.resolve("url"));
                Files.deleteIfExists(path.resolve(BEYOND));
            }
            if (serving != null) serving.release();
            lock.release();
            channel.close();
        } catch (IOException e) {
            System.getLogger("boot").log(System.Logger.Level.WARNING, "releasing " + path, e);
        }
    }
}
