package dev.coppice.runner.raw;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Makes a file usable for its owner that is not, and sets its mode back when it is closed. It holds
 * on to the file meanwhile, so that a link which somebody puts in its place is not followed: the
 * JDK has to open a file for reading before it has a handle on it.
 */
@SuppressWarnings("restricted")
final class Pinned implements AutoCloseable {
    /** Opens nothing but the name; with "close on exec". These are the same on every processor. */
    private static final int PATH_ONLY = 0x200000 | 0x80000;

    private static final boolean LINUX = "Linux".equals(System.getProperty("os.name"));
    private static final Set<PosixFilePermission> USABLE =
            Set.of(
                    PosixFilePermission.OWNER_READ,
                    PosixFilePermission.OWNER_WRITE,
                    PosixFilePermission.OWNER_EXECUTE);
    private static final int NOT_OPEN = -1;
    private final Handles.Entry entry;
    private final int number;

    private Pinned(Handles.Entry entry, int number) {
        this.entry = entry;
        this.number = number;
    }

    /** Looked up on first use, and never where there is no Linux. */
    private static final class Calls {
        static final MethodHandle OPEN =
                call(
                        "open",
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                        Linker.Option.firstVariadicArg(2));
        static final MethodHandle CLOSE =
                call("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

        private static MethodHandle call(
                String name, FunctionDescriptor shape, Linker.Option... options) {
            var linker = Linker.nativeLinker();
            var symbol = linker.defaultLookup().findOrThrow(name);
            return linker.downcallHandle(symbol, shape, options);
        }
    }

    /** Throws when it is no longer what the entry was. */
    static Pinned usable(Handles.Entry entry) throws IOException {
        var pinned = new Pinned(entry, isPossible() ? opened(entry) : NOT_OPEN);
        try {
            var key = Files.readAttributes(pinned.path(), BasicFileAttributes.class).fileKey();
            if (!Objects.equals(key, entry.attributes().fileKey())) {
                throw new NotKept(entry.path() + " changed while it was read");
            }
            var more = new HashSet<>(entry.attributes().permissions());
            more.addAll(USABLE);
            Files.setPosixFilePermissions(pinned.path(), more);
            return pinned;
        } catch (IOException | NotKept e) {
            pinned.letGo();
            throw e;
        }
    }

    private static boolean isPossible() {
        return LINUX && Files.isDirectory(Path.of("/proc/self/fd"));
    }

    private static int opened(Handles.Entry entry) throws IOException {
        var path = RawName.bytes(entry.path());
        try (var arena = Arena.ofConfined()) {
            var name = arena.allocate(path.length + 1L);
            name.asByteBuffer().put(path).put((byte) 0);
            int number = (int) Calls.OPEN.invokeExact(name, PATH_ONLY);
            if (number < 0) throw new AccessDeniedException(entry.path().toString());
            return number;
        } catch (RuntimeException | IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("calling open", e);
        }
    }

    private Path path() {
        return number == NOT_OPEN ? entry.path() : Path.of("/proc/self/fd/" + number);
    }

    @Override
    public void close() throws IOException {
        try {
            Files.setPosixFilePermissions(path(), entry.attributes().permissions());
        } finally {
            letGo();
        }
    }

    /** It stays usable. */
    void letGo() {
        if (number == NOT_OPEN) return;
        try {
            int closed = (int) Calls.CLOSE.invokeExact(number);
            if (closed != 0) throw new IllegalStateException("closing " + path());
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("calling close", e);
        }
    }
}
