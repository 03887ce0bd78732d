package dev.coppice.web;

import dev.coppice.kernel.RequestRefusal;
import dev.coppice.request.Rejected;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A number of bytes of memory, and how much of it each caller has taken. A caller gets at most half
 * of it; a request for more waits.
 */
public final class Room {
    private final String one;
    private final String many;
    private final long all;
    private final Duration patience;
    private final Map<String, Long> taken = new HashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition given = lock.newCondition();
    private long free;

    /** {@code one} and {@code many} name what takes the room, in refusals. */
    public Room(String one, String many, long all, Duration patience) {
        this.one = one;
        this.many = many;
        this.all = all;
        this.patience = patience;
        this.free = all;
    }

    /** Waits for the bytes. Rejects more than one caller can have, and too long a wait. */
    public void take(String caller, long bytes) {
        if (bytes > all / 2) {
            throw new Rejected(new RequestRefusal.TooLarge(one, bytes, all / 2));
        }
        lock.lock();
        try {
            long left = patience.toNanos();
            while (bytes > free || ofCaller(caller) + bytes > all / 2) {
                if (left <= 0) throw busy();
                left = given.awaitNanos(left);
            }
            free -= bytes;
            taken.merge(caller, bytes, Long::sum);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw busy();
        } finally {
            lock.unlock();
        }
    }

    /** The most that one caller can have. */
    long ofOne() {
        return all / 2;
    }

    private long ofCaller(String caller) {
        return taken.getOrDefault(caller, 0L);
    }

    private Rejected busy() {
        long megabytes = all / (1024 * 1024);
        return new Rejected(
                new RequestRefusal.TooMany(
                        "megabytes of %s at once".formatted(many), (int) megabytes));
    }

    public void give(String caller, long bytes) {
        if (bytes == 0) return;
        lock.lock();
        try {
            free += bytes;
            taken.computeIfPresent(caller, (_, had) -> had == bytes ? null : had - bytes);
            given.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
