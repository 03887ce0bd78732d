package dev.coppice.schema;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The places for checks. One caller gets at most half of them: its further checks wait. */
final class CheckPlaces {
    static final int PLACES = 4;
    private static final int OF_ONE_MAX = PLACES / 2;
    private final Map<String, Integer> taken = new HashMap<>();
    private final ReentrantLock lock = new ReentrantLock(true);
    private final Condition given = lock.newCondition();
    private int free = PLACES;

    /**
     * Returns whether there was a place in time. The coordinator itself has no limit of its own.
     */
    boolean take(@Nullable String caller, Duration most) throws InterruptedException {
        lock.lock();
        try {
            long left = most.toNanos();
            while (free == 0 || (caller != null && taken.getOrDefault(caller, 0) == OF_ONE_MAX)) {
                if (left <= 0) return false;
                left = given.awaitNanos(left);
            }
            free--;
            if (caller != null) taken.merge(caller, 1, Integer::sum);
            return true;
        } finally {
            lock.unlock();
        }
    }

    void give(@Nullable String caller) {
        lock.lock();
        try {
            free++;
            if (caller != null) taken.computeIfPresent(caller, (_, n) -> n == 1 ? null : n - 1);
            given.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
