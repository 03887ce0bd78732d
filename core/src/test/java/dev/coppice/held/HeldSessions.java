package dev.coppice.held;

import dev.coppice.callback.About;
import dev.coppice.held.HeldStore.HeldSession;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.run.Run;
import dev.coppice.session.Ancestor;
import dev.coppice.session.Limits;
import dev.coppice.session.Place;
import dev.coppice.session.Session;
import dev.coppice.session.SessionFilter;
import dev.coppice.session.SessionState;
import dev.coppice.session.Sessions;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Sessions in memory. */
public final class HeldSessions implements Sessions {
    private final HeldStore store;

    HeldSessions(HeldStore store) {
        this.store = store;
    }

    private Stream<HeldSession> all() {
        return store.now().sessions.values().stream();
    }

    @Override
    public Optional<Session> find(SessionId id) {
        return Optional.ofNullable(store.held(id)).map(HeldSession::session);
    }

    @Override
    public Optional<Session> named(String name) {
        return all().map(HeldSession::session).filter(s -> s.name().equals(name)).findFirst();
    }

    @Override
    public boolean isHidden(SessionId id) {
        return store.now().hidden.values().stream()
                .flatMap(a -> a.sessions().values().stream())
                .anyMatch(h -> h.session().id().equals(id));
    }

    @Override
    public void add(Session session) {
        if (find(session.id()).isPresent() || named(session.name()).isPresent()) {
            throw new IllegalStateException("the id or the name is in use: " + session.id());
        }
        var parent = session.place().parentId();
        if (parent != null && find(parent).isEmpty()) {
            throw new IllegalStateException("the parent does not exist: " + parent);
        }
        long key = ++store.now().lastKey;
        store.now().sessions.put(key, new HeldSession(session, key));
    }

    @Override
    public void rename(SessionId session, String name) {
        var held = Objects.requireNonNull(store.held(session), "no session " + session);
        store.now()
                .sessions
                .put(held.key(), new HeldSession(held.session().named(name), held.key()));
    }

    @Override
    public void save(Session session) {
        var held = Objects.requireNonNull(store.held(session.id()), "no session " + session.id());
        // A save changes neither the place nor the removal of a session.
        var preserved =
                session.at(held.session().place()).removedBy(held.session().standing().removal());
        store.now().sessions.put(held.key(), new HeldSession(preserved, held.key()));
    }

    @Override
    public Slice<Session> list(SessionFilter filter, Cursor cursor) {
        var top = filter.within();
        Predicate<HeldSession> wanted =
                h -> {
                    var s = h.session();
                    return filter.isMetBy(s)
                            && (!filter.areOrphans() || hasEndedParent(s))
                            && (top == null || isWithin(s.id(), top));
                };
        var order = top == null ? List.copyOf(store.now().sessions.values()) : depthFirst(top);
        return page(order.reversed().stream().filter(wanted).toList(), cursor);
    }

    private boolean hasEndedParent(Session session) {
        var parent = session.place().parentId();
        return parent != null && find(parent).filter(p -> !p.state().isAlive()).isPresent();
    }

    /** A place is the key of a session and a sign, which are those of the database. */
    @Override
    public Optional<Placed> next(@Nullable SessionId top, @Nullable String place) {
        var order = top == null ? all().flatMap(this::ifRoot).toList() : depthFirst(top);
        int from = 0;
        if (place != null) {
            long key = Long.parseLong(place.substring(0, place.length() - 1));
            while (order.get(from).key() != key) from++;
            from += place.endsWith("!") ? 1 : depthFirst(order.get(from).session().id()).size();
        }
        return order.stream()
                .skip(from)
                .findFirst()
                .map(h -> new Placed(h.session(), h.key() + "!", h.key() + "~"));
    }

    private Stream<HeldSession> ifRoot(HeldSession held) {
        return held.session().place().parentId() == null
                ? depthFirst(held.session().id()).stream()
                : Stream.empty();
    }

    @Override
    public boolean haveAllEnded(SessionId top, Instant by) {
        return depthFirst(top).stream()
                .map(HeldSession::session)
                .allMatch(s -> {
                    var ended = s.times().ended();
                    return !s.state().isAlive() && ended != null && !ended.isAfter(by);
                });
    }

    @Override
    public List<Session> stoppingPast(Instant moment, int max) {
        return all().map(HeldSession::session)
                .filter(s ->
                        s.state() instanceof SessionState.Stopping(_, var deadline, _)
                                && deadline.isBefore(moment))
                .limit(max)
                .toList();
    }

    @Override
    public void makeQuiet(SessionId top, Instant since) {
        for (var held : depthFirst(top)) save(held.session().quiet(since));
    }

    @Override
    public List<Session> liveLeaves(SessionId top) {
        return depthFirst(top).reversed().stream()
                .map(HeldSession::session)
                .filter(s -> s.state().isAlive() && ancestry(s.id()).getFirst().livingBelow() == 0)
                .toList();
    }

    @Override
    public Slice<Session> children(SessionId parent, Cursor cursor) {
        return page(childrenOf(parent), cursor);
    }

    private List<HeldSession> childrenOf(SessionId parent) {
        return all().filter(h -> parent.equals(h.session().place().parentId())).toList();
    }

    @Override
    public Slice<Session> descendants(SessionId top, int depthMax, Cursor cursor) {
        var deepest = find(top).orElseThrow().place().depth() + depthMax;
        var below =
                depthFirst(top).stream()
                        .skip(1)
                        .filter(h -> h.session().place().depth() <= deepest)
                        .toList();
        return page(below, cursor);
    }

    private List<HeldSession> depthFirst(SessionId top) {
        var found = new ArrayList<HeldSession>();
        found.add(Objects.requireNonNull(store.held(top)));
        childrenOf(top).stream()
                .sorted(Comparator.comparingLong(HeldSession::key))
                .forEach(child -> found.addAll(depthFirst(child.session().id())));
        return found;
    }

    private static Slice<Session> page(List<HeldSession> items, Cursor cursor) {
        int from = 0;
        if (cursor.after() != null) {
            while (from < items.size() && items.get(from).key() != Long.parseLong(cursor.after())) {
                from++;
            }
            from++;
        }
        var rest = items.subList(Math.min(from, items.size()), items.size());
        boolean more = rest.size() > cursor.max();
        var shown = more ? rest.subList(0, cursor.max()) : rest;
        return new Slice<>(
                shown.stream().map(HeldSession::session).toList(),
                more ? Long.toString(shown.getLast().key()) : null);
    }

    private void put(HeldSession held, Session changed) {
        store.now().sessions.put(held.key(), new HeldSession(changed, held.key()));
    }

    void mark(SessionId id, @Nullable String removal) {
        var held = Objects.requireNonNull(store.held(id));
        put(held, held.session().removedBy(removal));
    }

    @Override
    public int levelsBelow(SessionId id) {
        int own = find(id).orElseThrow().place().depth();
        return depthFirst(id).stream()
                .mapToInt(h -> h.session().place().depth() - own)
                .max()
                .orElse(0);
    }

    @Override
    public void detach(SessionId child, Limits limits) {
        var from = find(child).orElseThrow().place().parentId();
        var moving = depthFirst(child);
        for (var held : moving) {
            var s = held.session();
            var parent = s.id().equals(child) ? null : s.place().parent();
            var above = parent == null ? null : find(parent.id()).orElseThrow();
            put(held, s.at(place(s, parent, above)));
        }
        var root = Objects.requireNonNull(store.held(child));
        put(root, root.session().with(limits).detachedFrom(from));
        store.removals().moveBelow(moving);
        store.runs().takeBack(run -> isWithin(run.session(), child));
    }

    @Override
    public void attach(SessionId root, SessionId parent, Limits limits) {
        var moving = depthFirst(root);
        for (var held : moving) {
            var s = held.session();
            var above =
                    s.id().equals(root)
                            ? find(parent).orElseThrow()
                            : find(Objects.requireNonNull(s.place().parentId())).orElseThrow();
            put(held, s.at(place(s, new Place.Parent(above.id(), above.name()), above)));
        }
        var grafted = Objects.requireNonNull(store.held(root));
        put(grafted, grafted.session().with(limits).detachedFrom(null));
        store.removals().moveBelow(moving);
        store.runs().takeBack(run -> isWithin(run.session(), root));
    }

    static Place place(Session s, Place.@Nullable Parent parent, @Nullable Session above) {
        return above == null
                ? new Place(null, s.id(), 0, s.name())
                : new Place(
                        parent,
                        above.place().root(),
                        above.place().depth() + 1,
                        above.place().path() + "." + s.name());
    }

    @Override
    public long countChildren(SessionId parent) {
        return childrenOf(parent).size();
    }

    @Override
    public long countDescendants(SessionId top) {
        return depthFirst(top).size() - 1L;
    }

    @Override
    public List<Ancestor> ancestry(SessionId id) {
        var found = new ArrayList<Ancestor>();
        var at = find(id);
        while (at.isPresent()) {
            var session = at.get();
            int children =
                    (int)
                            childrenOf(session.id()).stream()
                                    .filter(h -> h.session().state().isAlive())
                                    .count();
            int below =
                    (int)
                            depthFirst(session.id()).stream()
                                    .skip(1)
                                    .filter(h -> h.session().state().isAlive())
                                    .count();
            found.add(new Ancestor(session, children, below));
            var parent = session.place().parentId();
            at = parent == null ? Optional.empty() : find(parent);
        }
        return found;
    }

    @Override
    public boolean isWithin(SessionId id, SessionId top) {
        var at = find(id);
        while (at.isPresent()) {
            if (at.get().id().equals(top)) return true;
            var parent = at.get().place().parentId();
            at = parent == null ? Optional.empty() : find(parent);
        }
        return id.equals(top);
    }

    /** Counts only events reported by agents; those of the coordinator have no text here. */
    @Override
    public Stored stored(SessionId in, Limits.Kind kind) {
        var root = find(in).orElseThrow().place().root();
        return new Stored(bytes(root, kind), find(root).orElseThrow().limits().of(kind));
    }

    private long bytes(SessionId root, Limits.Kind kind) {
        Predicate<SessionId> isOfTree =
                id -> find(id).filter(s -> s.place().root().equals(root)).isPresent();
        var now = store.now();
        var runs = now.runs.values().stream().map(HeldStore.HeldRun::run);
        return switch (kind) {
            case EVENT_BYTES ->
                    now.entries.values().stream()
                            .filter(e -> isOfTree.test(e.session()))
                            .mapToLong(
                                    e -> e.fact() instanceof Fact.Reported r ? size(r.body()) : 0)
                            .sum();
            case METADATA_BYTES ->
                    all().map(HeldSession::session)
                                    .filter(s -> isOfTree.test(s.id()))
                                    .mapToLong(s -> size(s.profile().metadata()))
                                    .sum()
                            + runs.filter(r -> isOfTree.test(r.session()))
                                    .mapToLong(HeldSessions::size)
                                    .sum()
                            + now.callbacks.values().stream()
                                    .filter(c -> isOfTree.test(c.to()))
                                    .mapToLong(c ->
                                            c.about() instanceof About.Message m
                                                    ? Bounds.bytesOf(m.text())
                                                    : 0)
                                    .sum();
            case OUTPUT_BYTES ->
                    runs.filter(r -> isOfTree.test(r.session()))
                            .mapToLong(r -> now.outputBytes.getOrDefault(r.id().value(), 0L))
                            .sum();
            case DEPTH, CHILDREN, DESCENDANTS, RUNS, PROCESSES, MEMORY_BYTES ->
                    throw new IllegalArgumentException(kind + " is not stored");
        };
    }

    private static long size(JsonText text) {
        return Bounds.bytesOf(text.value());
    }

    private static long size(Run run) {
        var text = run.result().text();
        var data = run.result().data();
        return size(run.task().parameters())
                + (text == null ? 0 : Bounds.bytesOf(text))
                + (data == null ? 0 : size(data));
    }
}
