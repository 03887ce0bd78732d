package dev.coppice.store;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * How housework lets others go first where there is one writer for all. While others write too, a
 * piece of it begins only when they have had the writer for nine times as long as the piece before
 * took, in the queue and out of it, or for as long as nobody minds to wait for a deletion. Where
 * nobody else writes, no time is lost.
 */
final class BackgroundWrites {
    private static final int OTHERS_SHARE = 9;
    private static final long WAIT_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(50);

    private final ReentrantLock turn = new ReentrantLock(true);
    private final AtomicLong others = new AtomicLong();
    private final CountDownLatch closed = new CountDownLatch(1);

    // What was seen of the last piece; whoever has the turn reads and writes these.
    private long othersBefore;
    private long ended;
    private long took;

    /** Somebody wants to write who is not to wait. */
    void someoneElse() {
        others.incrementAndGet();
    }

    <T extends @Nullable Object> T inTurn(Supplier<T> piece) {
        turn.lock();
        try {
            letOthersGo();
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

    private void letOthersGo() {
        if (others.get() == othersBefore) return;
        long pause = Math.min(took * OTHERS_SHARE, WAIT_NANOS_MAX);
        try {
            boolean _ = closed.await(ended + pause - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreFailed("interrupted before writing", e);
        }
    }

    /** Nobody waits any longer. */
    void close() {
        closed.countDown();
    }
}
