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
 * Shares one look among concurrent callers: it answers each call that was made before it began.
 * Looks run on a platform thread: reading files on a virtual thread holds its carrier, which would
 * block the other callers.
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
        // Start the thread now: agents that fork without end may leave no room for it later.
        one.prestartCoreThread();
        this.looking = one;
    }

    /** Returns the result of a look that began after this call. */
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
            // Later callers get the next look.
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
