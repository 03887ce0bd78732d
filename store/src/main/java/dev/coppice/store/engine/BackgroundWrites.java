package dev.coppice.store.engine;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Makes background writes yield to foreground writes where one writer serves everything. While
 * foreground callers write, a background write starts only after a pause of nine times the duration
 * of the previous one, queueing included, but of at most 50 ms. Without foreground writes there is
 * no pause.
 */
final class BackgroundWrites {
    private static final int OTHERS_SHARE = 9;
    private static final long WAIT_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(50);

    private final ReentrantLock turn = new ReentrantLock(true);
    private final AtomicLong others = new AtomicLong();
    private final CountDownLatch closed = new CountDownLatch(1);

    // The previous background write; guarded by {@code turn}.
    private long othersBefore;
    private long ended;
    private long took;

    /** Records a foreground write. */
    void countForegroundWrite() {
        others.incrementAndGet();
    }

    <T extends @Nullable Object> T yieldAndRun(Supplier<T> piece) {
        turn.lock();
        try {
            yieldToForeground();
            othersBefore = others.get();
            long from = System.nanoTime();
            try {
                return piece.get();
            } finally {
                ended = System.nanoTime();
                took = ended - from;
            }
        } finally {
            turn.unlock();
        }
    }

    private void yieldToForeground() {
        if (others.get() == othersBefore) return;
        long pause = Math.min(took * OTHERS_SHARE, WAIT_NANOS_MAX);
        try {
            boolean _ = closed.await(ended + pause - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreFailed("interrupted before writing", e);
        }
    }

    /** Ends all pauses. */
    void close() {
        closed.countDown();
    }
}
