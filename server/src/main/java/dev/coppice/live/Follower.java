package dev.coppice.live;

import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Transactions;
import dev.coppice.session.Sessions;
import dev.coppice.wire.Json;
import dev.coppice.wire.SseFrame;
import dev.coppice.wire.session.LiveFrames;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/**
 * One reader of the stream. It reads the ring while it keeps up, and the journal while it is
 * behind. Nothing is queued for it: the connection's time-out drops a reader that is too slow, and
 * the reader continues from its last number when it reconnects.
 */
final class Follower {
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    private static final Duration TRUST = Duration.ofSeconds(1);
    private static final int ENTRIES_PER_WRITE_MAX = 500;
    private static final int REMEMBERED_MAX = 10_000;
    private static final byte[] BEAT = ": heartbeat\n\n".getBytes(StandardCharsets.UTF_8);

    private final Transactions transactions;
    private final Journal journal;
    private final Sessions sessions;
    private final Tail tail;
    private final Journal.Scope scope;
    private final Semaphore replays;
    private final Wanted wanted;
    private final Map<SessionId, Boolean> inside = new HashMap<>();
    private final BooleanSupplier isGood;
    private long lastWrite = System.nanoTime();
    private long lastCheck = System.nanoTime();

    Follower(
            Transactions transactions,
            Journal journal,
            Sessions sessions,
            Tail tail,
            Journal.Scope scope,
            Wanted wanted,
            Semaphore replays,
            BooleanSupplier isGood) {
        this.replays = replays;
        this.isGood = isGood;
        this.transactions = transactions;
        this.journal = journal;
        this.sessions = sessions;
        this.tail = tail;
        this.scope = scope;
        this.wanted = wanted;
    }

    void run(long after, OutputStream out) throws IOException, InterruptedException {
        tail.join();
        try {
            follow(sendGap(after, out), out);
        } finally {
            tail.leave();
        }
    }

    private void follow(long from, OutputStream out) throws IOException, InterruptedException {
        long at = from;
        while (tail.isOpen() && isStillGood()) {
            long next = pull(at, out);
            if (next == at) tail.awaitPast(at, HEARTBEAT);
            at = next;
            // Entries outside its scope also end the wait, and the reader still needs a heartbeat.
            if (tail.isOpen() && System.nanoTime() - lastWrite >= HEARTBEAT.toNanos()) beat(out);
        }
    }

    /** True while the reader's token is valid. It is checked at most once a second. */
    private boolean isStillGood() {
        if (System.nanoTime() - lastCheck < TRUST.toNanos()) return true;
        lastCheck = System.nanoTime();
        return isGood.getAsBoolean();
    }

    private void beat(OutputStream out) throws IOException {
        out.write(BEAT);
        flush(out);
    }

    /**
     * Tells the reader between which numbers retention has deleted events, and returns the number
     * to replay from: some events in between may be left.
     */
    private long sendGap(long after, OutputStream out) throws IOException {
        long floor = transactions.read(journal::floor);
        long head = transactions.read(journal::head);
        if (after >= floor && after <= head) return after;
        // A number above the head comes from another journal; continue from the head.
        long to = after > head ? head : floor;
        var gap = new LiveFrames.Gap(after > head ? 1 : after + 1, to);
        var frame = new SseFrame(Long.toString(to), "gap", Json.write(gap));
        out.write(frame.written().getBytes(StandardCharsets.UTF_8));
        out.flush();
        return Math.min(after, head);
    }

    /** Writes the next entries, and returns the number up to which the reader is complete. */
    private long pull(long at, OutputStream out) throws IOException, InterruptedException {
        var ready = tail.after(at, ENTRIES_PER_WRITE_MAX);
        // Retention may have overtaken a reader that is this far behind.
        if (ready.isEmpty()) return replay(sendGap(at, out), out);
        long upTo = at;
        boolean wrote = false;
        for (var item : ready.get()) {
            upTo = item.entry().number();
            forgetPlaces(item.entry());
            if (!isInside(item.entry()) || !wanted.has(item)) continue;
            item.into(out);
            wrote = true;
        }
        if (wrote) flush(out);
        return upTo;
    }

    private void flush(OutputStream out) throws IOException {
        out.flush();
        lastWrite = System.nanoTime();
    }

    /**
     * Reads only this reader's scope from the journal; if that has no entries, the reader is
     * complete up to the tail. Ring entries are in memory once, but these once for each reader, so
     * concurrent replays are limited.
     */
    private long replay(long at, OutputStream out) throws IOException, InterruptedException {
        replays.acquire();
        try {
            return replayed(at, out);
        } finally {
            replays.release();
        }
    }

    private long replayed(long at, OutputStream out) throws IOException {
        long known = tail.last();
        List<Entry> entries =
                transactions.read(() -> journal.after(at, scope, ENTRIES_PER_WRITE_MAX));
        for (var entry : entries) {
            forgetPlaces(entry);
            var item = new Ring.Item(entry);
            if (wanted.has(item)) item.into(out);
        }
        flush(out);
        return entries.isEmpty() ? Math.max(at, known) : entries.getLast().number();
    }

    /** Forgets which sessions are inside if the entry moves one, or if too many are remembered. */
    private void forgetPlaces(Entry entry) {
        boolean moved =
                entry.fact() instanceof Fact.SessionDetached
                        || entry.fact() instanceof Fact.SessionAttached;
        if (moved || inside.size() > REMEMBERED_MAX) inside.clear();
    }

    private boolean isInside(Entry entry) {
        if (scope.session() != null) return scope.session().equals(entry.session());
        var top = scope.subtree();
        if (top == null) return true;
        return inside.computeIfAbsent(
                entry.session(), id -> transactions.read(() -> sessions.isWithin(id, top)));
    }
}
