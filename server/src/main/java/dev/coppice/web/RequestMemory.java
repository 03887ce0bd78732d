package dev.coppice.web;

import dev.coppice.access.Caller;
import dev.coppice.access.Need;
import dev.coppice.access.Role;
import dev.coppice.kernel.Bounds;
import dev.coppice.request.SharedMemory;

import java.time.Duration;

/**
 * Bounds the memory of all bodies and answers in progress; one caller gets at most half. There are
 * three rooms: for the bytes as sent, for what is made of them, and for answers. A request takes
 * its memory from a room in one piece, so no request holds memory of a room while it waits for more
 * of the same room. A request that no room could hold is refused before anything is made of it.
 */
public final class RequestMemory {
    private static final int SHARE_OF_BODIES = 3;
    private static final int SHARE_OF_SENT = 3;
    private static final int SHARE_OF_ANSWERS = 4;
    private static final int SHARE_OF_ARCHIVES = 8;
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A page of rows: the rows, the text made of them, and its bytes. */
    static final long ANSWER_BYTES = 6L * Bounds.PAGE_BYTES_MAX;

    private final Room sent;
    private final Room made;
    private final Room answers;

    RequestMemory(long bytes, long ofAnswers, Duration patience) {
        long answered = Math.max(ofAnswers, 2 * ANSWER_BYTES);
        this.answers = new Room("answer", "answers", answered, patience);
        this.sent = new Room("body", "bodies", bytes / SHARE_OF_SENT, patience);
        this.made = new Room("body in memory", "bodies", bytes - bytes / SHARE_OF_SENT, patience);
    }

    /** A third of the memory of this process for bodies, and a quarter for answers. */
    public static RequestMemory ofThisProcess() {
        long all = Runtime.getRuntime().maxMemory();
        return new RequestMemory(all / SHARE_OF_BODIES, all / SHARE_OF_ANSWERS, PATIENCE);
    }

    Hold of(Caller caller, Need need) {
        boolean onlyReports = caller.isAgent() || caller.role() == Role.INGEST;
        var rank =
                need == Need.RUN
                        ? Room.Rank.RUNNERS
                        : onlyReports ? Room.Rank.REPORTERS : Room.Rank.PEOPLE;
        return new Hold(caller.key(), rank);
    }

    /** An eighth of the memory of this process for archives while they are imported. */
    public static SharedMemory ofArchives() {
        long all = Runtime.getRuntime().maxMemory();
        return new Room("archive in memory", "archives", all / SHARE_OF_ARCHIVES, PATIENCE);
    }

    /** The room that one request has taken, until it is closed. */
    public final class Hold implements AutoCloseable {
        private final String caller;
        private final Room.Rank rank;
        private long ofSent;
        private long ofMade;
        private long ofAnswer;
        private int users = 1;

        private Hold(String caller, Room.Rank rank) {
            this.caller = caller;
            this.rank = rank;
        }

        /** Takes room for bytes that are about to be read. */
        void sent(long bytes) {
            sent.take(caller, bytes, rank);
            synchronized (this) {
                ofSent += bytes;
            }
        }

        /**
         * Takes room for a body of unknown length, and returns how many bytes. Gives back what the
         * request took before: while it waits, it must hold nothing that other requests wait for.
         */
        long sentAtMost(long bytes) {
            long room = Math.min(bytes, sent.ofOne());
            received(0);
            sent(room);
            return room;
        }

        /** Keeps the room for the bytes received, and gives the rest back. */
        synchronized void received(long bytes) {
            sent.give(caller, ofSent - bytes);
            ofSent = bytes;
        }

        /** Takes room for what is made of the bytes. A request does this once. */
        synchronized void made(long bytes) {
            made.take(caller, bytes, rank);
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
         * Keeps the room of the answer until the returned action runs, for an answer that another
         * thread makes or sends later.
         */
        public synchronized Runnable share() {
            users++;
            return this::leave;
        }

        private synchronized void leave() {
            users--;
            if (users == 0) answered(0);
        }

        /** Keeps the room for an answer of this size, and gives the rest back. */
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
