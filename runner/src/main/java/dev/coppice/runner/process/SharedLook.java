package dev.coppice.runner.process;

import dev.coppice.thread.Threads;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A look at something that many ask for at once: one look answers all that asked before it began.
 * The looking has a thread of its own: a virtual thread that reads files holds its carrier, and the
 * other callers could not even ask meanwhile.
 */
final class SharedLook<T> {
    private final Supplier<T> look;
    private final ExecutorService looking;

    /** The answer of the next look, which has not begun. */
    private @Nullable CompletableFuture<T> next;

    SharedLook(String name, Supplier<T> look) {
        this.look = look;
        var one =
                new ThreadPoolExecutor(
                        1,
                        1,
                        0,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Threads.daemon(name).factory());
        // Agents that fork without end leave no thread to start when they are to be ended.
        one.prestartCoreThread();
        this.looking = one;
    }

    /** Returns what a look found that began after this call. */
    T now() {
        CompletableFuture<T> mine;
        synchronized (this) {
            if (next == null) {
                next = new CompletableFuture<>();
                looking.execute(this::answerNext);
            }
            mine = next;
        }
        return mine.join();
    }

    private void answerNext() {
        CompletableFuture<T> mine;
        synchronized (this) {
            // A caller that asks from here on gets the look after this one.
            mine = Objects.requireNonNull(next);
            next = null;
        }
        try {
            mine.complete(look.get());
        } catch (RuntimeException | Error e) {
            mine.completeExceptionally(e);
        }
    }
}
