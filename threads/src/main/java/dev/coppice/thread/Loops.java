package dev.coppice.thread;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * The endless loops of a program. A loop repeats one round, so a round that returns or throws does
 * not end it. Only its owner does. A failed round is logged with its cause and counted.
 */
public final class Loops {
    private final ConcurrentMap<String, AtomicLong> failures = new ConcurrentHashMap<>();

    /**
     * Starts a loop on a virtual thread. It goes on while the condition is true, which must not
     * throw. An owner that interrupts the thread to end it makes the condition false first.
     */
    public Thread start(String name, BooleanSupplier goesOn, Round round) {
        return Threads.virtual(name).start(loop(name, goesOn, round));
    }

    /** Starts a loop on a platform thread, for work that holds its thread while it waits. */
    public Thread startOnPlatform(String name, BooleanSupplier goesOn, Round round) {
        return Threads.daemon(name).start(loop(name, goesOn, round));
    }

    private Loop loop(String name, BooleanSupplier goesOn, Round round) {
        var failed = failures.computeIfAbsent(name, _ -> new AtomicLong());
        return new Loop(name, goesOn, round, failed);
    }

    /** Returns the number of failed rounds by the names of the loops. */
    public Map<String, Long> failures() {
        var counts = new TreeMap<String, Long>();
        failures.forEach((name, count) -> counts.put(name, count.get()));
        return counts;
    }
}
