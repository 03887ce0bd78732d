package dev.coppice.store.engine;

import dev.coppice.kernel.OnBehalf;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Keeps one caller from using all connections for reading: its reads above the limit wait for its
 * own reads to end. The coordinator's own reads need no turn.
 */
final class ReadTurns {
    private final int ofACaller;
    private final Map<String, Turns> taken = new ConcurrentHashMap<>();

    ReadTurns(int ofACaller) {
        this.ofACaller = ofACaller;
    }

    /** The turns of one caller, and the number of its reads that have or want one. */
    private static final class Turns {
        private final Semaphore free;
        private int reads;

        Turns(int max) {
            this.free = new Semaphore(max, true);
        }
    }

    <T extends @Nullable Object> T take(Supplier<T> read) {
        var caller = OnBehalf.caller();
        if (caller == null) return read.get();
        var turns = enter(caller);
        turns.free.acquireUninterruptibly();
        try {
            return read.get();
        } finally {
            turns.free.release();
            leave(caller);
        }
    }

    private Turns enter(String caller) {
        return taken.compute(
                caller,
                (_, known) -> {
                    var turns = known == null ? new Turns(ofACaller) : known;
                    turns.reads++;
                    return turns;
                });
    }

    private void leave(String caller) {
        taken.computeIfPresent(caller, (_, turns) -> --turns.reads == 0 ? null : turns);
    }
}
