package dev.coppice.runner.process;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The three things the kernel does for a process and the JDK does not: any signal, adopting
 * orphans, and burying them. Only on Linux; elsewhere {@link #isThere} says no and nothing is
 * called.
 */
@SuppressWarnings("restricted")
final class Native {
    static final int SIGSTOP = 19;
    static final int SIGCONT = 18;
    static final int SIGKILL = 9;
    private static final int SET_CHILD_SUBREAPER = 36;
    private static final int WITHOUT_WAITING = 1;
    private static final boolean LINUX = "Linux".equals(System.getProperty("os.name"));

    private Native() {}

    /** Looked up on first use, and never where there is no Linux. */
    private static final class Calls {
        static final MethodHandle KILL = call("kill", FunctionDescriptor.of(INT, INT, INT));
        static final MethodHandle PRCTL =
                call("prctl", FunctionDescriptor.of(INT, INT, LONG, LONG, LONG, LONG));
        static final MethodHandle WAITPID =
                call("waitpid", FunctionDescriptor.of(INT, INT, ValueLayout.ADDRESS, INT));

        private static MethodHandle call(String name, FunctionDescriptor shape) {
            var linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), shape);
        }
    }

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    static boolean isThere() {
        return LINUX;
    }

    /** Whether the process could be sent the signal. */
    static boolean signal(long pid, int signal) {
        if (!LINUX) return false;
        try {
            return (int) Calls.KILL.invokeExact((int) pid, signal) == 0;
        } catch (Throwable e) {
            throw new IllegalStateException("calling kill", e);
        }
    }

    /** Orphans below this process become its children, instead of those of the first process. */
    static boolean adoptOrphans() {
        if (!LINUX) return false;
        try {
            return (int) Calls.PRCTL.invokeExact(SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L) == 0;
        } catch (Throwable e) {
            throw new IllegalStateException("calling prctl", e);
        }
    }

    /** Takes the end of this adopted child from the kernel; of this one only, never of any. */
    static boolean bury(long pid) {
        if (!LINUX) return false;
        try {
            return (int) Calls.WAITPID.invokeExact((int) pid, MemorySegment.NULL, WITHOUT_WAITING)
                    == (int) pid;
        } catch (Throwable e) {
            throw new IllegalStateException("calling waitpid", e);
        }
    }
}
