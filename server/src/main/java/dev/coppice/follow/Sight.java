package dev.coppice.follow;

import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Transactions;
import dev.coppice.session.Sessions;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Answers which sessions are below which, for all readers. It caches answers until an entry of the
 * journal moves, hides or brings back a session.
 */
public final class Sight {
    private static final int REMEMBERED_MAX = 50_000;

    private final Transactions transactions;
    private final Sessions sessions;
    private final Map<Pair, Boolean> inside = new ConcurrentHashMap<>();
    private volatile long moves;

    private record Pair(SessionId session, SessionId top) {}

    Sight(Transactions transactions, Sessions sessions) {
        this.transactions = transactions;
        this.sessions = sessions;
    }

    /** True if the session is {@code top} or below it, or if {@code top} is null. */
    public boolean isWithin(SessionId session, @Nullable SessionId top) {
        if (top == null) return true;
        var pair = new Pair(session, top);
        var known = inside.get(pair);
        if (known != null) return known;
        long before = moves;
        boolean is = transactions.read(() -> sessions.isWithin(session, top));
        remember(pair, is, before);
        return is;
    }

    /** Caches the answer, unless a move was noted since it was read. */
    private synchronized void remember(Pair pair, boolean is, long before) {
        if (moves != before) return;
        if (inside.size() >= REMEMBERED_MAX) inside.clear();
        inside.put(pair, is);
    }

    /** Forgets what an entry may have changed. */
    void note(Entry entry) {
        if (entry.fact() instanceof Fact.Moves) forget();
    }

    synchronized void forget() {
        moves++;
        inside.clear();
    }
}
