package dev.coppice.follow;

import dev.coppice.access.Caller;
import dev.coppice.access.Validity;
import dev.coppice.journal.Entry;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * One reader of the journal, for any face. It reads the ring while it keeps up, and the journal
 * while it is behind; nothing is queued for it. It gives its face the entries of its scope that its
 * caller sees now, each once and in order.
 */
public final class Follower implements AutoCloseable {
    private static final int ENTRIES_PER_REPLAY_MAX = 500;

    /** The most that a stalled reader holds of entries that the ring has dropped. */
    private static final long BYTES_AT_ONCE = 16L * 1024;

    private final Tail tail;
    private final Followers.Place place;
    private final @Nullable SessionId top;
    private final Journal.Scope scope;
    private final BooleanSupplier isGood;
    private long at;

    /** Formats entries for a reader, and sends them. */
    public interface Face {
        /** False once the reader has hung up, so that nothing more is read for it. */
        boolean isThere();

        /** Retention has deleted entries between these numbers; some in between may be left. */
        default void gap(long from, long to) throws IOException, InterruptedException {}

        void send(Item item) throws IOException, InterruptedException;

        /** Called after all ready entries were sent. */
        default void sent() throws IOException, InterruptedException {}
    }

    private Follower(
            Tail tail,
            Followers.Place place,
            @Nullable SessionId top,
            Journal.Scope scope,
            BooleanSupplier isGood) {
        this.tail = tail;
        this.place = place;
        this.top = top;
        this.scope = scope;
        this.isGood = isGood;
        tail.join();
        this.at = tail.last();
    }

    /** A reader for a caller, from now on. */
    public static Follower of(
            Tail tail, Followers.Place place, Caller caller, Journal.Scope scope, Validity token) {
        return new Follower(tail, place, caller.session(), scope, token.whileOpen(caller));
    }

    /** A reader of the coordinator itself. */
    public static Follower own(Tail tail, Followers.Place place) {
        return new Follower(tail, place, null, Journal.Scope.ALL, () -> true);
    }

    /** Continues after {@code number}, the last entry that the reader has. */
    public void from(long number, Face face) throws IOException, InterruptedException {
        at = number;
        skipGap(face);
    }

    /** False if the coordinator closes or the reader's token is no longer valid. */
    public boolean isOpen() {
        return tail.isOpen() && isGood.getAsBoolean();
    }

    /** Sends what comes next, or waits for it. */
    public void next(Duration patience, Face face) throws IOException, InterruptedException {
        if (!face.isThere()) throw new IOException("the reader has hung up");
        long known = tail.last();
        var ready = tail.after(at, BYTES_AT_ONCE);
        if (ready.isEmpty()) {
            replay(face);
        } else if (ready.get().isEmpty()) {
            tail.awaitPast(at, patience);
        } else {
            send(ready.get(), known, face);
        }
    }

    /** A slow reader gets no entry that was hidden while it read: the rest is read again. */
    private void send(List<Item> items, long known, Face face)
            throws IOException, InterruptedException {
        for (var item : items) {
            if (tail.hasHiddenSince(known)) break;
            at = item.entry().number();
            if (!isVisible(item.entry())) continue;
            if (item.size() <= BYTES_AT_ONCE) {
                face.send(item);
                continue;
            }
            try (var _ = place.hold(item.size())) {
                face.send(item);
            }
        }
        face.sent();
    }

    /**
     * The next visible entries, for a face that keeps none of them. Empty if the ring lacks some;
     * the reader then continues at the end of the ring.
     */
    public Optional<List<Item>> skim() {
        var ready = tail.after(at, Long.MAX_VALUE);
        at =
                ready.filter(items -> !items.isEmpty())
                        .map(items -> items.getLast().entry().number())
                        .orElseGet(() -> ready.isEmpty() ? tail.last() : at);
        return ready.map(items -> items.stream().filter(i -> isVisible(i.entry())).toList());
    }

    public long at() {
        return at;
    }

    /** True if there are entries that the reader does not have, whether it sees them or not. */
    public boolean isBehind() {
        return tail.last() > at;
    }

    /** Lets entries gather. */
    public void pause(Duration length) throws InterruptedException {
        tail.pause(length);
    }

    /** Waits for entries that the reader does not have, whether it sees them or not. */
    public void await(Duration patience) throws InterruptedException {
        tail.awaitPast(at, patience);
    }

    /**
     * Reads the journal for this reader alone, in its scope, and never past the tail: {@link Sight}
     * only knows the moves that the tail has read.
     */
    private void replay(Face face) throws IOException, InterruptedException {
        try (var held = place.holdPage()) {
            if (!face.isThere()) throw new IOException("the reader has hung up");
            skipGap(face);
            long known = tail.last();
            var items =
                    tail
                            .transactions()
                            .read(() -> tail.journal().after(at, inTree(), ENTRIES_PER_REPLAY_MAX))
                            .stream()
                            .filter(entry -> entry.number() <= known)
                            .map(Item::new)
                            .toList();
            held.shrinkTo(items.stream().mapToLong(Item::size).sum());
            for (var item : items) {
                if (tail.hasHiddenSince(known)) break;
                at = item.entry().number();
                if (isVisible(item.entry())) face.send(item);
            }
            if (items.isEmpty()) at = Math.max(at, known);
            face.sent();
        }
    }

    /** The narrowest scope that has all that this reader may see. */
    private Journal.Scope inTree() {
        return scope.equals(Journal.Scope.ALL) && top != null
                ? new Journal.Scope(null, top)
                : scope;
    }

    /** Tells the reader which entries are lost to it. */
    private void skipGap(Face face) throws IOException, InterruptedException {
        long floor = tail.transactions().read(tail.journal()::floor);
        long head = tail.transactions().read(tail.journal()::head);
        if (at >= floor && at <= head) return;
        // A number above the head comes from another journal.
        face.gap(at > head ? 1 : at + 1, at > head ? head : floor);
        at = Math.min(at, head);
    }

    private boolean isVisible(Entry entry) {
        var session = entry.session();
        if (scope.session() != null && !scope.session().equals(session)) return false;
        var sight = tail.sight();
        return sight.isWithin(session, scope.subtree()) && sight.isWithin(session, top);
    }

    @Override
    public void close() {
        tail.leave();
    }
}
