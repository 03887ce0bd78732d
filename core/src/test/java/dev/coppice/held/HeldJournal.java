package dev.coppice.held;

import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** The journal in memory. */
public final class HeldJournal implements Journal {
    private final HeldStore store;

    HeldJournal(HeldStore store) {
        this.store = store;
    }

    @Override
    public void append(SessionId session, @Nullable RunId run, Fact fact, Instant at) {
        if (store.held(session) == null) throw new IllegalStateException("no session " + session);
        add(session, run, fact, at);
    }

    @Override
    public void appendAbout(SessionId session, Fact fact, Instant at) {
        if (store.held(session) == null) store.now().withoutSession.add(store.now().lastNumber + 1);
        add(session, null, fact, at);
    }

    @Override
    public void appendAll(List<About> facts, Instant at) {
        for (var about : facts) appendAbout(about.session(), about.fact(), at);
    }

    private void add(SessionId session, @Nullable RunId run, Fact fact, Instant at) {
        long number = ++store.now().lastNumber;
        store.now().entries.put(number, new Entry(number, at, session, run, fact, null));
        store.raise(new Topic.JournalGrew());
    }

    @Override
    public List<Entry> after(long number, Scope scope, int max) {
        return scoped(store.now().entries.tailMap(number, false).values(), scope).stream()
                .limit(max)
                .toList();
    }

    @Override
    public List<Entry> before(long number, Scope scope, int max) {
        var found = scoped(store.now().entries.headMap(number, false).values(), scope);
        return found.subList(Math.max(0, found.size() - max), found.size());
    }

    private List<Entry> scoped(Collection<Entry> entries, Scope scope) {
        var removals = store.removals();
        return entries.stream()
                .filter(e -> scope.session() == null || scope.session().equals(e.session()))
                .filter(e ->
                        scope.subtree() == null || removals.wasWithin(e.session(), scope.subtree()))
                .toList();
    }

    @Override
    public long head() {
        return store.now().lastNumber;
    }

    @Override
    public long floor() {
        return store.now().deletedUpTo;
    }

    @Override
    public Forgotten forget(Due due) {
        var seen =
                store.now().entries.tailMap(due.after(), false).values().stream()
                        .limit(due.max())
                        .takeWhile(entry -> !entry.at().isAfter(due.until()))
                        .toList();
        if (seen.isEmpty()) return new Forgotten(0, 0);
        var deleted =
                seen.stream()
                        .filter(e -> {
                            var type = e.fact().shown().type();
                            var only = due.types().only();
                            return (only == null || type.equals(only))
                                    && !due.types().not().contains(type);
                        })
                        .filter(e -> !isKept(e.session()))
                        .toList();
        deleted.forEach(e -> store.now().entries.remove(e.number()));
        long last = seen.getLast().number();
        if (!deleted.isEmpty()) {
            store.now().deletedUpTo = Math.max(store.now().deletedUpTo, last);
        }
        return new Forgotten(last, deleted.size());
    }

    private boolean isKept(SessionId id) {
        var held = store.held(id);
        if (held == null) return false;
        var root = held.session().place().root();
        return held.session().standing().removal() != null
                || store.now().sessions.values().stream()
                        .map(HeldStore.HeldSession::session)
                        .anyMatch(s -> s.place().root().equals(root) && s.state().isAlive());
    }
}
