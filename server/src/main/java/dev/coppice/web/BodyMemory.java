package dev.coppice.web;

import dev.coppice.access.Caller;

import java.time.Duration;

/**
 * Bounds the memory of all bodies under way, and each caller to half of it. There are two stores: a
 * request takes room for its bytes from one, and then room for what is made of them from the other,
 * each in one piece. So no request holds what another one needs while it waits for more of the
 * same, and what no room could hold is refused before anything is made of it.
 */
public final class BodyMemory {
    private static final int SHARE_OF_BODIES = 3;
    private static final int SHARE_OF_SENT = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Room sent;
    private final Room made;

    BodyMemory(long bytes) {
        this.sent = new Room("body", "bodies", bytes / SHARE_OF_SENT, PATIENCE);
        this.made =
                new Room(
                        "body, as it is read into memory,",
                        "bodies",
                        bytes - bytes / SHARE_OF_SENT,
                        PATIENCE);
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
}
