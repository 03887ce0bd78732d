package dev.coppice.cli.engine;

import dev.coppice.client.Pause;
import dev.coppice.thread.Threads;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/**
 * Ends a following command when the reader of its output is gone. A write would show that, but a
 * quiet tree writes nothing: so this asks poll(2).
 */
public final class Pipe {
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final short ERROR_OR_HANGUP = 0x8 | 0x10;

    private Pipe() {}

    /** Watches in the background. A terminal needs no watch: its end is a signal. */
    public static void watch(Console console) {
        if (console.isWatched()) return;
        Threads.daemon("pipe").start(() -> watchOn(console));
    }

    // Needs no flag: the launcher allows native access.
    @SuppressWarnings("restricted")
    private static void watchOn(Console console) {
        try (var arena = Arena.ofConfined()) {
            var linker = Linker.nativeLinker();
            var poll =
                    linker.downcallHandle(
                            linker.defaultLookup().find("poll").orElseThrow(),
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.JAVA_LONG,
                                    ValueLayout.JAVA_INT));
            // struct pollfd: the descriptor, the events asked for, and those that came.
            var entry = arena.allocate(8, 4);
            entry.set(ValueLayout.JAVA_INT, 0, 1);
            while (true) {
                int found = (int) poll.invokeExact(entry, 1L, 0);
                boolean isGone = (entry.get(ValueLayout.JAVA_SHORT, 6) & ERROR_OR_HANGUP) != 0;
                if ((found > 0 && isGone) || console.out().checkError()) end();
                Pause.of(LOOK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            // Without the watch, the command ends when it next writes.
            System.getLogger("cli").log(System.Logger.Level.DEBUG, "cannot watch the pipe", e);
        }
    }

    /** Skips all cleanup: output without a reader needs none. */
    private static void end() {
        Runtime.getRuntime().halt(Exit.OK.code());
    }
}
