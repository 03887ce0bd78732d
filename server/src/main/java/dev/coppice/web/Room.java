package dev.coppice.web;

import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.request.SharedMemory;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A number of bytes of memory, and how much of it each caller has taken. A caller gets at most half
 * of it; a request for more waits. In a room of bodies, agents leave some to people, and both leave
 * some to runners, whose leases must not expire because others send much or slowly.
 */
public final class Room implements SharedMemory {
    private static final int SHARE_OF_RUNNERS = 16;
    private static final int SHARE_OF_PEOPLE = 4;

    /** How many small bodies of runners fit into their share. */
    private static final int RUNNERS_AT_ONCE = 4;

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

    /** Callers that leave the same part of a room to others. */
    enum Rank {
        /** Leaves nothing. */
        ALL,
        /** Leaves nothing with a small body, such as a heartbeat, whoever shares its token. */
        RUNNERS,
        /** Leaves the share of runners. */
        PEOPLE,
        /** Agents and senders, which leave the share of people. */
        REPORTERS
    }

    /** Waits for the bytes. Rejects more than one caller can have, and too long a wait. */
    @Override
    public void take(String caller, long bytes) {
        take(caller, bytes, Rank.ALL);
    }

    void take(String caller, long bytes, Rank rank) {
        if (bytes > all / 2) {
            throw new Rejected(new RequestRefusal.TooLarge(one, bytes, all / 2));
        }
        lock.lock();
        try {
            long left = patience.toNanos();
            while (!fits(caller, bytes, rank)) {
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

    private boolean fits(String caller, long bytes, Rank rank) {
        boolean isSmall = bytes <= all / SHARE_OF_RUNNERS / RUNNERS_AT_ONCE;
        if (rank == Rank.RUNNERS && isSmall) return bytes <= free;
        long left =
                switch (rank) {
                    case ALL -> 0;
                    case RUNNERS, PEOPLE -> all / SHARE_OF_RUNNERS;
                    case REPORTERS -> all / SHARE_OF_PEOPLE;
                };
        return bytes + left <= free && ofCaller(caller) + bytes <= all / 2;
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

    @Override
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
