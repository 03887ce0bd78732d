package dev.coppice.runner.process;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * System calls that the JDK does not offer: sending any signal, adopting and reaping orphans,
 * opening a file that may not be read, and listing extended attributes. Linux only; elsewhere
 * {@link #isAvailable} is false and no call is made.
 */
@SuppressWarnings("restricted")
public final class Native {
    static final int SIGSTOP = 19;
    static final int SIGCONT = 18;
    static final int SIGKILL = 9;
    private static final int SET_CHILD_SUBREAPER = 36;
    private static final int WITHOUT_WAITING = 1;

    /** O_PATH and O_CLOEXEC, which have the same values on every processor. */
    private static final int PATH_ONLY = 0x200000 | 0x80000;

    private static final boolean LINUX = "Linux".equals(System.getProperty("os.name"));

    private Native() {}

    /** Looked up on first use, which never happens on other systems. */
    private static final class Calls {
        static final MethodHandle KILL = call("kill", FunctionDescriptor.of(INT, INT, INT));
        static final MethodHandle PRCTL =
                call("prctl", FunctionDescriptor.of(INT, INT, LONG, LONG, LONG, LONG));
        static final MethodHandle WAITPID =
                call("waitpid", FunctionDescriptor.of(INT, INT, ValueLayout.ADDRESS, INT));
        static final MethodHandle OPEN =
                call(
                        "open",
                        FunctionDescriptor.of(INT, ValueLayout.ADDRESS, INT),
                        Linker.Option.firstVariadicArg(2));
        static final MethodHandle CLOSE = call("close", FunctionDescriptor.of(INT, INT));
        static final MethodHandle LIST_ATTRIBUTES =
                call(
                        "llistxattr",
                        FunctionDescriptor.of(
                                LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS, LONG));

        private static MethodHandle call(
                String name, FunctionDescriptor shape, Linker.Option... options) {
            var linker = Linker.nativeLinker();
            var symbol = linker.defaultLookup().findOrThrow(name);
            return linker.downcallHandle(symbol, shape, options);
        }
    }

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    public static boolean isAvailable() {
        return LINUX;
    }

    /** Sends a signal; false if the process is gone or may not be signalled. */
    static boolean signal(long pid, int signal) {
        if (!LINUX) return false;
        try {
            return (int) Calls.KILL.invokeExact((int) pid, signal) == 0;
        } catch (Throwable e) {
            throw new IllegalStateException("calling kill", e);
        }
    }

    /** Makes orphans below this process its children, instead of those of the first process. */
    static boolean adoptOrphans() {
        if (!LINUX) return false;
        try {
            return (int) Calls.PRCTL.invokeExact(SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L) == 0;
        } catch (Throwable e) {
            throw new IllegalStateException("calling prctl", e);
        }
    }

    /** Reaps this adopted child only, because the JDK reaps the processes that it started. */
    static boolean reap(long pid) {
        if (!LINUX) return false;
        try {
            return (int) Calls.WAITPID.invokeExact((int) pid, MemorySegment.NULL, WITHOUT_WAITING)
                    == (int) pid;
        } catch (Throwable e) {
            throw new IllegalStateException("calling waitpid", e);
        }
    }

    /**
     * Opens a file for neither reading nor writing. Returns the descriptor, or a negative number.
     * The path is given as its bytes.
     */
    public static int openPath(byte[] path) {
        try (var arena = Arena.ofConfined()) {
            return (int) Calls.OPEN.invokeExact(name(arena, path), PATH_ONLY);
        } catch (Throwable e) {
            throw new IllegalStateException("calling open", e);
        }
    }

    private static MemorySegment name(Arena arena, byte[] path) {
        var name = arena.allocate(path.length + 1L);
        name.asByteBuffer().put(path).put((byte) 0);
        return name;
    }

    /**
     * Returns the names of the extended attributes of a file, a zero byte after each; nothing if
     * the file system has none, or the file is gone. A link is not followed.
     */
    public static byte[] extendedAttributes(byte[] path) {
        try (var arena = Arena.ofConfined()) {
            var name = name(arena, path);
            var list = Calls.LIST_ATTRIBUTES;
            long size = (long) list.invokeExact(name, MemorySegment.NULL, 0L);
            if (size <= 0) return new byte[0];
            var names = arena.allocate(size);
            long found = (long) list.invokeExact(name, names, size);
            // Negative if an attribute was added between the two calls.
            if (found <= 0) return new byte[0];
            return names.asSlice(0, found).toArray(ValueLayout.JAVA_BYTE);
        } catch (Throwable e) {
            throw new IllegalStateException("calling llistxattr", e);
        }
    }

    public static void close(int descriptor) {
        try {
            int closed = (int) Calls.CLOSE.invokeExact(descriptor);
            if (closed != 0) throw new IllegalStateException("closing descriptor " + descriptor);
        } catch (Throwable e) {
            throw new IllegalStateException("calling close", e);
        }
    }
}
