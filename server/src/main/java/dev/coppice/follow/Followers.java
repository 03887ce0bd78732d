package dev.coppice.follow;

import dev.coppice.access.Caller;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.web.Room;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits the open event streams of each caller, over all faces, and what all streams hold in
 * memory. One agent's token cannot use up the connections that others need, and its stalled readers
 * delay only its own streams.
 */
public final class Followers {
    private static final int OF_AN_AGENT_MAX = 16;
    private static final int OF_A_ROLE_MAX = 2_048;
    private static final int SHARE_OF_MEMORY = 8;

    /** A page of the journal: its rows, and what is made of them for the reader. */
    static final long PAGE_BYTES = 3L * Bounds.PAGE_BYTES_MAX;

    /** Longer than the time after which a stalled reader is disconnected and its room is free. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Room room;
    private final Map<String, Integer> open = new HashMap<>();

    private Followers(long bytes) {
        this.room = new Room("event", "events in streams", bytes, PATIENCE);
    }

    public static Followers ofThisProcess() {
        long share = Runtime.getRuntime().maxMemory() / SHARE_OF_MEMORY;
        return new Followers(Math.max(share, 2 * PAGE_BYTES));
    }

    static int max(Caller caller) {
        return caller.isAgent() ? OF_AN_AGENT_MAX : OF_A_ROLE_MAX;
    }

    /** Takes a place; rejects a caller that has reached its limit. */
    public synchronized Place enter(Caller caller) {
        checkLimit(caller);
        open.merge(caller.key(), 1, Integer::sum);
        return new Place(caller.key());
    }

    /** Rejects a caller that has reached its limit. */
    public synchronized void checkLimit(Caller caller) {
        if (open.getOrDefault(caller.key(), 0) >= max(caller)) {
            throw new Rejected(
                    new RequestRefusal.TooMany("event streams of this token", max(caller)));
        }
    }

    /** A place for the coordinator's own reader. */
    public Place own() {
        return new Place("");
    }

    private synchronized void leave(String key) {
        open.computeIfPresent(key, (_, streams) -> streams == 1 ? null : streams - 1);
    }

    /** One open stream, until it is closed. */
    public final class Place implements AutoCloseable {
        private final String key;

        private Place(String key) {
            this.key = key;
        }

        /** Waits until this reader may hold {@code bytes} bytes. */
        public Held hold(long bytes) {
            // One event is smaller than a page, even if its estimate is larger.
            long least = Math.min(bytes, PAGE_BYTES);
            room.take(key, least);
            return new Held(least);
        }

        /** Waits until this reader may hold a page. */
        public Held holdPage() {
            return hold(PAGE_BYTES);
        }

        @Override
        public void close() {
            leave(key);
        }

        /** Memory that is reserved for one reader, until it is closed. */
        public final class Held implements AutoCloseable {
            private long bytes;

            private Held(long bytes) {
                this.bytes = bytes;
            }

            /** Keeps room for {@code needed} bytes, and gives the rest back. */
            public void shrinkTo(long needed) {
                if (needed >= bytes) return;
                room.give(key, bytes - needed);
                bytes = needed;
            }

            @Override
            public void close() {
                shrinkTo(0);
            }
        }
    }
}
