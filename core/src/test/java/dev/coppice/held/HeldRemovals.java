package dev.coppice.held;

import dev.coppice.held.HeldStore.HeldRun;
import dev.coppice.held.HeldStore.HeldSession;
import dev.coppice.journal.Entry;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.removal.Member;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RemovalState;
import dev.coppice.removal.Removals;
import dev.coppice.removal.Survey;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.session.Place;
import dev.coppice.session.Session;
import dev.coppice.session.StateWord;
import dev.coppice.word.Choice;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Removals in memory. Hidden rows are moved aside, and moved back by an undo. */
public final class HeldRemovals implements Removals {
    private final HeldStore store;

    HeldRemovals(HeldStore store) {
        this.store = store;
    }

    /** A detached child and its own limits and budgets. */
    record Gone(SessionId id, Own own) {}

    /** A removal, its members, the members that are announced, and its detached children. */
    record HeldRemoval(
            Removal removal,
            long key,
            List<Member> members,
            Set<SessionId> told,
            Map<Long, Gone> detached) {
        HeldRemoval {
            members = List.copyOf(members);
            told = Set.copyOf(told);
            detached = Collections.unmodifiableMap(new LinkedHashMap<>(detached));
        }

        HeldRemoval with(Removal changed) {
            return new HeldRemoval(changed, key, members, told, detached);
        }
    }

    /** The hidden rows of a removal, by key. */
    record HiddenRows(
            Map<Long, HeldSession> sessions, Map<Long, HeldRun> runs, Map<Long, Entry> entries) {
        HiddenRows {
            sessions = Map.copyOf(sessions);
            runs = Map.copyOf(runs);
            entries = Map.copyOf(entries);
        }

        HiddenRows with(Map<SessionId, Session> moved) {
            var placed = new TreeMap<>(sessions);
            placed.replaceAll((_, held) -> {
                var session = held.session();
                return new HeldSession(moved.getOrDefault(session.id(), session), held.key());
            });
            return new HiddenRows(placed, runs, entries);
        }
    }

    /** Hidden sessions move along with those above them. */
    void moveBelow(List<HeldSession> visible) {
        var moved = new HashMap<SessionId, Session>();
        for (var before : visible) {
            var id = before.session().id();
            moved.put(id, store.sessions().find(id).orElseThrow());
        }
        var away = store.now().hidden;
        away.values().stream()
                .flatMap(rows -> rows.sessions().values().stream())
                .map(HeldSession::session)
                .sorted(Comparator.comparingInt(s -> s.place().depth()))
                .forEach(s -> {
                    var parent = s.place().parent();
                    var above = parent == null ? null : moved.get(parent.id());
                    if (above == null) return;
                    moved.put(s.id(), s.at(HeldSessions.place(s, parent, above)));
                });
        away.replaceAll((_, rows) -> rows.with(moved));
    }

    private HeldRemoval held(RemovalId id) {
        return Objects.requireNonNull(store.now().removals.get(id.value()), "no removal " + id);
    }

    private void put(HeldRemoval held) {
        store.now().removals.put(held.removal().id().value(), held);
    }

    private Stream<HeldRemoval> all() {
        return store.now().removals.values().stream()
                .sorted(Comparator.comparingLong(HeldRemoval::key));
    }

    public List<Removal> everyOne() {
        return all().map(HeldRemoval::removal).toList();
    }

    /** All runs, visible and hidden. */
    public List<Run> allRuns() {
        var now = store.now();
        var all = new ArrayList<>(now.runs.values());
        now.hidden.values().forEach(a -> all.addAll(a.runs().values()));
        return all.stream().map(HeldRun::run).toList();
    }

    @Override
    public void add(Removal removal) {
        put(new HeldRemoval(removal, ++store.now().lastKey, List.of(), Set.of(), Map.of()));
    }

    @Override
    public void addRestoring(Removal removal) {
        add(removal);
        store.now().hidden.put(removal.id().value(), new HiddenRows(Map.of(), Map.of(), Map.of()));
    }

    /** Adds a hidden session below its parent, which was added before or is visible. */
    void bringIn(RemovalId into, Session session) {
        var away = Objects.requireNonNull(store.now().hidden.get(into.value()));
        var parent = session.place().parentId();
        var above =
                Stream.concat(
                                away.sessions().values().stream(),
                                store.now().sessions.values().stream())
                        .map(HeldSession::session)
                        .filter(s -> s.id().equals(parent))
                        .findFirst()
                        .orElse(null);
        var below = above == null ? null : new Place.Parent(above.id(), above.name());
        var placed = session.at(HeldSessions.place(session, below, above));
        long key = ++store.now().lastKey;
        var sessions = new TreeMap<>(away.sessions());
        sessions.put(key, new HeldSession(placed.removedBy(into.value()), key));
        store.now().hidden.put(into.value(), new HiddenRows(sessions, away.runs(), away.entries()));
        var held = held(into);
        var members = new ArrayList<>(held.members());
        var state = StateWord.of(session.state());
        members.add(new Member(session.id(), session.name(), parent, state, 0, false));
        put(new HeldRemoval(held.removal(), held.key(), members, held.told(), held.detached()));
    }

    @Override
    public void save(Removal removal) {
        var before = held(removal.id());
        put(before.with(removal));
        boolean was = before.removal().state().hidesSessions();
        boolean is = removal.state().hidesSessions();
        if (is && !was) putAside(before);
        if (was && !is) putBack(removal.id());
    }

    private void putAside(HeldRemoval held) {
        var now = store.now();
        var gone = new HashSet<SessionId>();
        held.members().forEach(m -> gone.add(m.id()));
        var sessions = new TreeMap<Long, HeldSession>();
        var runs = new TreeMap<Long, HeldRun>();
        var entries = new TreeMap<Long, Entry>();
        now.sessions.forEach((k, v) -> {
            if (gone.contains(v.session().id())) sessions.put(k, v);
        });
        now.runs.forEach((k, v) -> {
            if (gone.contains(v.run().session())) runs.put(k, v);
        });
        now.entries.forEach((k, v) -> {
            if (gone.contains(v.session()) && !now.withoutSession.contains(k)) entries.put(k, v);
        });
        now.sessions.keySet().removeAll(sessions.keySet());
        now.runs.keySet().removeAll(runs.keySet());
        now.entries.keySet().removeAll(entries.keySet());
        now.hidden.put(held.removal().id().value(), new HiddenRows(sessions, runs, entries));
    }

    private void putBack(RemovalId id) {
        var now = store.now();
        var away = Objects.requireNonNull(now.hidden.remove(id.value()));
        now.sessions.putAll(away.sessions());
        now.runs.putAll(away.runs());
        now.entries.putAll(away.entries());
    }

    @Override
    public Optional<Removal> find(RemovalId id) {
        return Optional.ofNullable(store.now().removals.get(id.value())).map(HeldRemoval::removal);
    }

    @Override
    public Slice<Removal> list(Cursor cursor) {
        var found = everyOne().reversed();
        return new Slice<>(found.stream().limit(cursor.max()).toList(), null);
    }

    @Override
    public List<Removal> due(Instant now, int max) {
        return all().map(HeldRemoval::removal)
                .filter(r -> !r.state().isOver())
                .filter(r ->
                        !(r.state() instanceof RemovalState.Hidden(_, var until))
                                || !until.isAfter(now))
                .filter(r -> r.tries().next() == null || !r.tries().next().isAfter(now))
                .limit(max)
                .toList();
    }

    @Override
    public List<SessionId> endedTrees(Instant before, int max) {
        return store.now().sessions.values().stream()
                .map(HeldSession::session)
                .filter(s -> s.place().parent() == null && s.standing().removal() == null)
                .filter(s ->
                        subtree(s.id(), Choice.Children.CASCADE).stream()
                                .allMatch(d -> hasEndedBefore(d, before)))
                .map(Session::id)
                .limit(max)
                .toList();
    }

    private static boolean hasEndedBefore(Session session, Instant before) {
        var ended = session.times().ended();
        return ended != null && ended.isBefore(before);
    }

    @Override
    public Optional<Removal> of(SessionId id) {
        return all().filter(h -> h.members().stream().anyMatch(m -> m.id().equals(id)))
                .map(HeldRemoval::removal)
                .filter(r ->
                        !(r.state() instanceof RemovalState.Undone)
                                && !(r.state() instanceof RemovalState.TakenBack))
                .reduce((_, later) -> later);
    }

    @Override
    public Optional<Removal> ofNamed(String name) {
        return all().filter(h -> h.members().stream().anyMatch(m -> m.name().equals(name)))
                .map(HeldRemoval::removal)
                .filter(r -> r.state().hidesSessions())
                .reduce((_, later) -> later);
    }

    @Override
    public long begunOf(SessionId top) {
        return all().map(HeldRemoval::removal).filter(r -> r.top().id().equals(top)).count();
    }

    @Override
    public Optional<Removal> underWayBelow(SessionId top) {
        return all().map(HeldRemoval::removal)
                .filter(r -> !r.state().isOver() && !(r.state() instanceof RemovalState.Hidden))
                .filter(r -> !r.top().id().equals(top))
                .filter(r -> isWithin(r, top))
                .findFirst();
    }

    private boolean isWithin(Removal removal, SessionId top) {
        var parent = removal.top().parent();
        return store.sessions().isWithin(removal.top().id(), top)
                || (parent != null && store.sessions().isWithin(parent, top));
    }

    /** True if the session is or was below {@code top}, by the parents recorded in removals. */
    boolean wasWithin(SessionId gone, SessionId top) {
        var at = gone;
        while (!at.equals(top)) {
            if (store.held(at) != null) return store.sessions().isWithin(at, top);
            var id = at;
            var member =
                    all().flatMap(h -> h.members().stream())
                            .filter(m -> m.id().equals(id))
                            .reduce((_, later) -> later);
            var parent = member.map(Member::parent);
            if (parent.isEmpty()) return false;
            at = parent.get();
        }
        return true;
    }

    private List<Session> subtree(SessionId top, Choice.Children children) {
        var found = new ArrayList<Session>();
        store.sessions().find(top).ifPresent(found::add);
        if (children != Choice.Children.DETACH) {
            var all = Cursor.first(Integer.MAX_VALUE);
            found.addAll(store.sessions().descendants(top, Bounds.TREE_DEPTH_MAX, all).items());
        }
        return found;
    }

    @Override
    public List<Removal> hiddenBelow(Removal removal) {
        return earlierBelow(removal.top().id());
    }

    @Override
    public List<Removal> earlierBelow(SessionId top) {
        return all().map(HeldRemoval::removal)
                .filter(r -> r.state() instanceof RemovalState.Hidden)
                .filter(r -> {
                    var parent = r.top().parent();
                    return parent != null && wasWithin(parent, top);
                })
                .toList();
    }

    @Override
    public Survey survey(SessionId top, Choice.Children children) {
        var states = new HashMap<String, Long>();
        var ids = new HashSet<SessionId>();
        for (var s : subtree(top, children)) {
            states.merge(StateWord.of(s.state()), 1L, Long::sum);
            ids.add(s.id());
        }
        var runs =
                store.now().runs.values().stream()
                        .map(HeldRun::run)
                        .filter(r -> ids.contains(r.session()))
                        .toList();
        long live = runs.stream().filter(r -> !(r.state() instanceof RunState.Ended)).count();
        long open =
                ids.stream()
                        .mapToLong(i -> store.callbacks().openOf(i, Integer.MAX_VALUE).size())
                        .sum();
        long events =
                store.now().entries.values().stream()
                        .filter(e -> ids.contains(e.session()))
                        .count();
        long leases = runs.stream().filter(r -> r.state().held() != null).count();
        return new Survey(states, runs.size(), live, leases, open, events, 0, 0);
    }

    @Override
    public void outline(SessionId top, Choice.Children children, Consumer<Outline> each) {
        subtree(top, children)
                .forEach(s -> each.accept(new Outline(s.id(), StateWord.of(s.state()))));
    }

    @Override
    public int enlist(Removal removal, int max) {
        var held = held(removal.id());
        var members = new ArrayList<>(held.members());
        int found = 0;
        for (var s : subtree(removal.top().id(), Choice.Children.CASCADE)) {
            if (found == max) break;
            if (s.standing().removal() != null) continue;
            var parent = s.place().parentId();
            long runs =
                    store.now().runs.values().stream()
                            .filter(r -> r.run().session().equals(s.id()))
                            .count();
            members.add(new Member(s.id(), s.name(), parent, StateWord.of(s.state()), runs, false));
            store.sessions().mark(s.id(), removal.id().value());
            found++;
        }
        put(new HeldRemoval(held.removal(), held.key(), members, held.told(), held.detached()));
        return found;
    }

    @Override
    public int release(RemovalId id, int max) {
        int found = 0;
        for (var member : held(id).members().reversed()) {
            var s = store.sessions().find(member.id());
            boolean ours = s.isPresent() && id.value().equals(s.get().standing().removal());
            if (!ours || found == max) continue;
            store.sessions().mark(member.id(), null);
            found++;
        }
        return found;
    }

    @Override
    public Slice<Member> members(RemovalId id, Cursor cursor) {
        return new Slice<>(held(id).members().stream().limit(cursor.max()).toList(), null);
    }

    @Override
    public long countMembers(RemovalId id) {
        return held(id).members().size();
    }

    @Override
    public List<Member> unannounced(RemovalId id, AnnouncementOrder order, int max) {
        var held = held(id);
        var all = held.members();
        return (order == AnnouncementOrder.PARENTS_FIRST ? all : all.reversed())
                .stream().filter(m -> !held.told().contains(m.id())).limit(max).toList();
    }

    @Override
    public void markAnnounced(RemovalId id, SessionId member) {
        var held = held(id);
        var told = new HashSet<>(held.told());
        told.add(member);
        put(new HeldRemoval(held.removal(), held.key(), held.members(), told, held.detached()));
    }

    @Override
    public void givenUp(RemovalId id, SessionId member) {
        var held = held(id);
        var members = new ArrayList<>(held.members());
        members.replaceAll(m ->
                m.id().equals(member)
                        ? new Member(m.id(), m.name(), m.parent(), m.state(), m.runs(), true)
                        : m);
        put(new HeldRemoval(held.removal(), held.key(), members, held.told(), held.detached()));
    }

    @Override
    public long countUnannounced(RemovalId id) {
        return unannounced(id, AnnouncementOrder.PARENTS_FIRST, Integer.MAX_VALUE).size();
    }

    @Override
    public void markAllUnannounced(RemovalId id) {
        var held = held(id);
        put(new HeldRemoval(held.removal(), held.key(), held.members(), Set.of(), held.detached()));
    }

    @Override
    public List<String> takenNames(RemovalId id) {
        return held(id).members().stream()
                .map(Member::name)
                .filter(name -> store.sessions().named(name).isPresent())
                .toList();
    }

    /** Hidden names are not unique here; a session whose name is taken gets another. */
    @Override
    public void giveNamesBack(RemovalId id) {
        var away = Objects.requireNonNull(store.now().hidden.get(id.value()));
        var sessions = new HashMap<>(away.sessions());
        away.sessions()
                .forEach((key, held) -> {
                    var s = held.session();
                    var name = s.name();
                    for (int i = 2; store.sessions().named(name).isPresent(); i++)
                        name = s.name() + "-" + i;
                    sessions.put(key, new HeldSession(s.named(name), key));
                });
        store.now().hidden.put(id.value(), new HiddenRows(sessions, away.runs(), away.entries()));
    }

    @Override
    public void detached(RemovalId id, SessionId child, Own own) {
        var held = held(id);
        var detached = new LinkedHashMap<>(held.detached());
        store.now()
                .sessions
                .forEach((key, session) -> {
                    if (session.session().id().equals(child))
                        detached.put(key, new Gone(child, own));
                });
        put(new HeldRemoval(held.removal(), held.key(), held.members(), held.told(), detached));
    }

    @Override
    public List<Detached> detachedBy(RemovalId id) {
        var now = store.now();
        return held(id).detached().entrySet().stream()
                .map(e -> {
                    boolean isAway =
                            now.hidden.values().stream()
                                    .anyMatch(a -> a.sessions().containsKey(e.getKey()));
                    boolean isThere = isAway || now.sessions.containsKey(e.getKey());
                    return new Detached(e.getValue().id(), isThere, e.getValue().own());
                })
                .toList();
    }

    @Override
    public boolean purgeSome(Removal removal, int rowsMax) {
        var away = store.now().hidden.remove(removal.id().value());
        if (away == null) return false;
        var gone = new HashSet<SessionId>();
        away.sessions().values().forEach(s -> gone.add(s.session().id()));
        var now = store.now();
        now.places.values().removeIf(p -> gone.contains(p.session()));
        now.callbacks.values().removeIf(c -> gone.contains(c.to()));
        now.joins.values().removeIf(j -> gone.contains(j.by()));
        now.stops.values().removeIf(s -> gone.contains(s.stop().top()));
        for (var id : gone) {
            now.budgets.remove(id.value());
            now.spent.remove(id.value());
        }
        // Trees below it that were hidden earlier are purged with it.
        for (var other : everyOne()) {
            var parent = other.top().parent();
            boolean below = parent != null && gone.contains(parent);
            if (below && other.state().hidesSessions()) purgeSome(other, rowsMax);
        }
        return true;
    }
}
