package dev.coppice.sim;

import dev.coppice.held.HeldStore;
import dev.coppice.journal.Entry;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.session.SessionFilter;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The entries that readers of the journal may see, computed from the store and without the code
 * that serves them. A reader sees the journal as of some moment since the last reading of the tail.
 * An entry that was visible at each such moment must reach a reader; one that was visible at any of
 * them may reach it. Facts about hidden and purged sessions may reach a reader of their subtree and
 * need not, because the store in memory no longer places them.
 */
final class Truth {
    private static final Cursor ALL = Cursor.first(1_000);
    private static final int ENTRIES_MAX = 100_000;

    private final HeldStore store;
    private final Map<Long, SessionId> shownOnce = new HashMap<>();
    private final Set<Long> shownAlways = new HashSet<>();
    private final Map<SessionId, Set<SessionId>> aboveOnce = new HashMap<>();
    private final Map<SessionId, Set<SessionId>> aboveAlways = new HashMap<>();

    /** Includes sessions that are hidden, at their last places. */
    private final Map<SessionId, Set<SessionId>> places = new HashMap<>();

    private long head = -1;

    /** A caller's bound, and the scope of its request. */
    record View(@Nullable SessionId top, Journal.Scope scope) {}

    Truth(HeldStore store) {
        this.store = store;
    }

    /** The tail has read the journal: earlier states are of the past. */
    void tailHasRead(long from) {
        shownOnce.clear();
        shownAlways.clear();
        aboveOnce.clear();
        aboveAlways.clear();
        head = store.read(() -> store.journal().head());
        var shown = shown(from);
        shownOnce.putAll(shown);
        shownAlways.addAll(shown.keySet());
        var above = above();
        places.forEach((id, over) -> aboveOnce.put(id, new HashSet<>(over)));
        aboveAlways.putAll(above);
    }

    /** Another state; all that changes what readers see is journaled. */
    boolean hasChanged(long from) {
        long now = store.read(() -> store.journal().head());
        if (now == head) return false;
        long before = head;
        head = now;
        var shown = shown(from);
        shownAlways.removeIf(n -> !shown.containsKey(n));
        // New entries have no past in which they were not shown.
        shown.keySet().stream().filter(n -> n > before).forEach(shownAlways::add);
        shownOnce.putAll(shown);
        var known = Set.copyOf(places.keySet());
        var above = above();
        aboveAlways.forEach((id, over) -> over.retainAll(above.getOrDefault(id, Set.of())));
        // A session that was hidden and is back was not there always.
        above.forEach((id, over) -> {
            if (!known.contains(id)) aboveAlways.put(id, over);
        });
        places.forEach(
                (id, over) -> aboveOnce.computeIfAbsent(id, _ -> new HashSet<>()).addAll(over));
        return true;
    }

    /** A reader may begin further back than any other: what is shown there is so now. */
    void reachesBackTo(long number) {
        shown(number)
                .forEach((n, id) -> {
                    if (shownOnce.putIfAbsent(n, id) == null) shownAlways.add(n);
                });
    }

    private Map<Long, SessionId> shown(long from) {
        var shown = new HashMap<Long, SessionId>();
        for (Entry entry :
                store.read(() -> store.journal().after(from, Journal.Scope.ALL, ENTRIES_MAX))) {
            shown.put(entry.number(), entry.session());
        }
        return shown;
    }

    /** Each visible session, with itself and all above it. */
    private Map<SessionId, Set<SessionId>> above() {
        var parents = new HashMap<SessionId, @Nullable SessionId>();
        store.read(() -> store.sessions().list(SessionFilter.ALL, ALL))
                .items()
                .forEach(s -> parents.put(s.id(), s.place().parentId()));
        var above = new HashMap<SessionId, Set<SessionId>>();
        for (var id : parents.keySet()) {
            var over = new HashSet<SessionId>();
            for (@Nullable SessionId at = id; at != null; at = parents.get(at)) over.add(at);
            above.put(id, over);
            places.put(id, Set.copyOf(over));
        }
        return above;
    }

    /** The numbers after one that this reader must get. */
    Set<Long> owed(View view, long after) {
        var owed = new HashSet<Long>();
        for (long number : shownAlways) {
            var session = shownOnce.get(number);
            if (number > after && session != null && isIn(view, session, aboveAlways)) {
                owed.add(number);
            }
        }
        return owed;
    }

    /** True if the reader may get the entry. */
    boolean allows(View view, Entry entry) {
        return shownOnce.containsKey(entry.number()) && isIn(view, entry.session(), aboveOnce);
    }

    private static boolean isIn(
            View view, SessionId session, Map<SessionId, Set<SessionId>> above) {
        var only = view.scope().session();
        return (only == null || only.equals(session))
                && isBelow(session, view.scope().subtree(), above)
                && isBelow(session, view.top(), above);
    }

    private static boolean isBelow(
            SessionId session, @Nullable SessionId top, Map<SessionId, Set<SessionId>> above) {
        return top == null || above.getOrDefault(session, Set.of()).contains(top);
    }
}
