package dev.coppice.web;

import dev.coppice.access.Caller;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.operation.Rejected;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds the memory of all bodies under way, and each caller to half of it. There are two stores: a
 * request takes room for its bytes from one, and then room for what is made of them from the other,
 * each in one piece. So no request holds what another one needs while it waits for more of the
 * same, and what no room could hold is refused before anything is made of it.
 */
public final class BodyMemory {
    private static final int SHARE_OF_BODIES = 3;
    private static final int SHARE_OF_SENT = 3;

    private final Room sent;
    private final Room made;

    BodyMemory(long bytes) {
        this.sent = new Room("body", bytes / SHARE_OF_SENT);
        this.made = new Room("body, as it is read into memory,", bytes - bytes / SHARE_OF_SENT);
    }

    /** A third of the memory of this process. */
    public static BodyMemory ofThisProcess() {
        return new BodyMemory(Runtime.getRuntime().maxMemory() / SHARE_OF_BODIES);
    }

    Hold of(Caller caller) {
        return new Hold(caller.key());
    }

    /** The room that one request has taken, until it is closed. */
    final class Hold implements AutoCloseable {
        private final String caller;
        private long ofSent;
        private long ofMade;

        private Hold(String caller) {
            this.caller = caller;
        }

        /** Takes room for bytes that are about to be read. */
        synchronized void sent(long bytes) {
            sent.take(caller, bytes);
            ofSent += bytes;
        }

        /** Takes room for what the bytes become. A request does this once. */
        synchronized void made(long bytes) {
            made.take(caller, bytes);
            ofMade += bytes;
        }

        @Override
        public synchronized void close() {
            sent.give(caller, ofSent);
            made.give(caller, ofMade);
            ofSent = 0;
            ofMade = 0;
        }
    }

    /** A number of bytes, and who has taken how many of them. */
    private static final class Room {
        private static final Duration PATIENCE = Duration.ofSeconds(30);

        private final String what;
        private final long all;
        private final Map<String, Long> taken = new HashMap<>();
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition given = lock.newCondition();
        private long free;

        Room(String what, long all) {
            this.what = what;
            this.all = all;
            this.free = all;
        }

        void take(String caller, long bytes) {
            if (bytes > all / 2) {
                throw new Rejected(new RequestRefusal.TooLarge(what, bytes, all / 2));
            }
            lock.lock();
            try {
                long left = PATIENCE.toNanos();
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

        private long ofCaller(String caller) {
            return taken.getOrDefault(caller, 0L);
        }

        private Rejected busy() {
            long megabytes = all / (1024 * 1024);
            return new Rejected(
                    new RequestRefusal.TooMany("megabytes of bodies at once", (int) megabytes));
        }

        void give(String caller, long bytes) {
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
}
