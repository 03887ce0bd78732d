package dev.coppice.web;

import dev.coppice.access.Caller;
import dev.coppice.kernel.Bounds;

import java.time.Duration;

/**
 * Bounds the memory of all bodies and answers under way, and each caller to half of it. There are
 * three stores: a request takes room for its bytes from one, then room for what is made of them
 * from another, or for its answer from the third, each in one piece. So no request holds what
 * another one needs while it waits for more of the same, and what no room could hold is refused
 * before anything is made of it.
 */
public final class RequestMemory {
    private static final int SHARE_OF_BODIES = 3;
    private static final int SHARE_OF_SENT = 3;
    private static final int SHARE_OF_ANSWERS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A page of rows, in its parts, in the text that is made of them, and in its bytes. */
    static final long ANSWER_BYTES = 6L * Bounds.PAGE_BYTES_MAX;

    private final Room sent;
    private final Room made;
    private final Room answers;

    RequestMemory(long bytes, long ofAnswers) {
        this.answers =
                new Room("answer", "answers", Math.max(ofAnswers, 2 * ANSWER_BYTES), PATIENCE);
        this.sent = new Room("body", "bodies", bytes / SHARE_OF_SENT, PATIENCE);
        this.made = new Room("body in memory", "bodies", bytes - bytes / SHARE_OF_SENT, PATIENCE);
    }

    /** A third of the memory of this process for bodies, and a quarter for answers. */
    public static RequestMemory ofThisProcess() {
        long all = Runtime.getRuntime().maxMemory();
        return new RequestMemory(all / SHARE_OF_BODIES, all / SHARE_OF_ANSWERS);
    }

    Hold of(Caller caller) {
        return new Hold(caller.key());
    }

    /** The room that one request has taken, until it is closed. */
    public final class Hold implements AutoCloseable {
        private final String caller;
        private long ofSent;
        private long ofMade;
        private long ofAnswer;
        private int users = 1;

        private Hold(String caller) {
            this.caller = caller;
        }

        /** Takes room for bytes that are about to be read. */
        void sent(long bytes) {
            sent.take(caller, bytes);
            synchronized (this) {
                ofSent += bytes;
            }
        }

        /**
         * Takes room for a body of unknown length, in place of what was taken so far: whoever waits
         * for more must hold nothing that others wait for. Returns for how many bytes.
         */
        long sentAtMost(long bytes) {
            long room = Math.min(bytes, sent.ofOne());
            received(0);
            sent(room);
            return room;
        }

        /** Gives back what the bytes that came do not need. */
        synchronized void received(long bytes) {
            sent.give(caller, ofSent - bytes);
            ofSent = bytes;
        }

        /** Takes room for what the bytes become. A request does this once. */
        synchronized void made(long bytes) {
            made.take(caller, bytes);
            ofMade += bytes;
        }

        /** Takes room for the largest answer, before anything is read for it. */
        public void answer() {
            answer(ANSWER_BYTES);
        }

        /** Takes room for an answer whose size is known. */
        public void answer(long bytes) {
            answers.take(caller, bytes);
            synchronized (this) {
                ofAnswer += bytes;
            }
        }

        /**
         * Keeps the room of the answer until the returned action is run: others than the request
         * make the answer, or send it later.
         */
        public synchronized Runnable share() {
            users++;
            return this::leave;
        }

        private synchronized void leave() {
            users--;
            if (users == 0) answered(0);
        }

        /** Gives back what the answer does not need. */
        public synchronized void answered(long bytes) {
            if (bytes >= ofAnswer) return;
            answers.give(caller, ofAnswer - bytes);
            ofAnswer = bytes;
        }

        @Override
        public synchronized void close() {
            sent.give(caller, ofSent);
            made.give(caller, ofMade);
            ofSent = 0;
            ofMade = 0;
            leave();
        }
    }
}
