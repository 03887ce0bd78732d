package dev.coppice.cli.engine;

import dev.coppice.thread.Threads;

import java.util.function.Supplier;

/** Prints a message if Ctrl-C ends the command before this is closed: the request continues. */
public final class OnInterrupt implements AutoCloseable {
    private final Thread hook;

    private OnInterrupt(Thread hook) {
        this.hook = hook;
    }

    public static OnInterrupt say(Console console, Supplier<String> what) {
        var hook =
                Threads.hook(() -> {
                    var text = what.get();
                    console.err().println();
                    console.err().println(text);
                    console.err().flush();
                });
        Runtime.getRuntime().addShutdownHook(hook);
        return new OnInterrupt(hook);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // The interrupt came just now, and the hook runs.
        }
    }
}
