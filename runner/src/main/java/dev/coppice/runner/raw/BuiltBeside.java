package dev.coppice.runner.raw;

import dev.coppice.thread.Threads;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Pattern;

/**
 * Builds a directory beside its place and moves it there when it is complete. The next call deletes
 * what a killed process left unfinished.
 */
public final class BuiltBeside {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final String BESIDE = ".coppice-making-";
    private static final Pattern UNFINISHED =
            Pattern.compile(Pattern.quote(BESIDE) + "(\\d+)-\\d+");

    private BuiltBeside() {}

    /** Fills the given directory. */
    public interface Making<T> {
        T in(Path directory) throws IOException;
    }

    public static <T> T to(Path into, Making<T> making) {
        if (Files.exists(into, LinkOption.NOFOLLOW_LINKS) && !isEmpty(into)) {
            throw new PreservationFailed("'" + into + "' is not empty; choose a new directory");
        }
        return Scratch.within(() -> {
            try {
                var beside = into.getParent();
                if (beside == null)
                    throw new PreservationFailed("'" + into + "' has no parent directory");
                Files.createDirectories(beside);
                deleteAbandoned(beside);
                return made(Files.createTempDirectory(beside, BESIDE + pid() + "-"), into, making);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot restore into '" + into + "'", e);
            }
        });
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }

    private static <T> T made(Path directory, Path into, Making<T> making) throws IOException {
        var interrupted = Threads.hook(() -> delete(directory));
        Runtime.getRuntime().addShutdownHook(interrupted);
        try {
            var made = making.in(directory);
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            if (Files.exists(into)) Files.delete(into);
            Files.move(directory, into, StandardCopyOption.ATOMIC_MOVE);
            return made;
        } finally {
            forget(interrupted);
            Handles.delete(directory);
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // The process is ending; the hook is already running.
        }
    }

    private static boolean isEmpty(Path directory) {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) return false;
        try (var inside = Files.list(directory)) {
            return inside.findAny().isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list '" + directory + "'", e);
        }
    }

    private static void deleteAbandoned(Path beside) throws IOException {
        try (var all = Files.newDirectoryStream(beside, BESIDE + "*")) {
            for (var one : all) {
                var maker = UNFINISHED.matcher(String.valueOf(one.getFileName()));
                if (maker.matches() && !isAlive(maker.group(1))) delete(one);
            }
        }
    }

    private static boolean isAlive(String pid) {
        try {
            return ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive).isPresent();
        } catch (NumberFormatException _) {
            // Too large for a process id, so no runner created this directory.
            return true;
        }
    }

    private static void delete(Path directory) {
        try {
            Handles.delete(directory);
        } catch (IOException | PreservationFailed e) {
            LOG.log(System.Logger.Level.WARNING, "cannot delete '" + directory + "'", e);
        }
    }
}
