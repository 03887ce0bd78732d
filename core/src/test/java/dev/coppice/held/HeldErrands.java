package dev.coppice.held;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.kernel.Topic;
import dev.coppice.session.Session;
import dev.coppice.work.Errand;
import dev.coppice.work.ErrandId;
import dev.coppice.work.Errands;
import dev.coppice.work.WorkItem;
import dev.coppice.work.Workplace;
import dev.coppice.work.Workplaces;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Directory tasks and workplaces in memory. */
public final class HeldErrands implements Errands, Workplaces {
    private static final Duration TAKEN_FOR = Duration.ofMinutes(2);
    private static final Duration UNHEARD_FOR = Duration.ofSeconds(3);
    private static final Duration TOLD_AGAIN = Duration.ofSeconds(5);
    private final HeldStore store;

    HeldErrands(HeldStore store) {
        this.store = store;
    }

    /** A directory task with the keys of its places, its claim and its outcome. */
    record HeldErrand(
            Errand errand,
            Set<Long> places,
            @Nullable RunnerId runner,
            @Nullable Instant taken,
            @Nullable Instant ended,
            @Nullable String failure,
            boolean givenUp,
            List<WorkItem> items) {
        HeldErrand {
            places = Set.copyOf(places);
            items = List.copyOf(items);
        }

        HeldErrand takenBy(@Nullable RunnerId by, @Nullable Instant at) {
            return new HeldErrand(errand, places, by, at, ended, failure, givenUp, items);
        }

        HeldErrand ended(@Nullable Instant at, @Nullable String why, boolean givesUp) {
            return new HeldErrand(errand, places, runner, taken, at, why, givesUp, items);
        }

        HeldErrand with(List<WorkItem> found) {
            return new HeldErrand(errand, places, runner, taken, ended, failure, givenUp, found);
        }
    }

    private Stream<HeldErrand> heldOf(String removal, Errand.Kind kind) {
        return store.now().errands.values().stream()
                .filter(e -> removal.equals(e.errand().removal()) && e.errand().kind() == kind);
    }

    private static long key(ErrandId id) {
        return Long.parseLong(id.value().substring(4));
    }

    private Optional<HeldErrand> held(ErrandId id) {
        return Optional.ofNullable(store.now().errands.get(key(id)));
    }

    private void put(HeldErrand held) {
        store.now().errands.put(key(held.errand().id()), held);
    }

    @Override
    public void note(Workplace place) {
        boolean known =
                store.now().places.values().stream()
                        .anyMatch(p ->
                                p.session().equals(place.session())
                                        && p.host().equals(place.host())
                                        && p.directory().equals(place.directory()));
        if (!known) store.now().places.put(++store.now().lastKey, place);
    }

    @Override
    public boolean isInUse(String host, String directory) {
        return store.now().places.values().stream()
                .filter(p -> p.host().equals(host))
                .filter(p -> lies(p.directory(), directory) || lies(directory, p.directory()))
                .flatMap(p -> store.sessions().find(p.session()).stream())
                .anyMatch(s -> s.state().isAlive());
    }

    @Override
    public void confirmed(String removal, List<WorkItem.State> states) {
        store.now().confirmedWork.put(removal, List.copyOf(states));
    }

    @Override
    public List<WorkItem.State> confirmed(String removal) {
        return store.now().confirmedWork.getOrDefault(removal, List.of());
    }

    @Override
    public void forgetConfirmed(String removal) {
        store.now().confirmedWork.remove(removal);
    }

    private static boolean lies(String directory, String in) {
        return (directory + "/").startsWith(in.endsWith("/") ? in : in + "/");
    }

    /** The directories in which the session has worked. */
    public List<Workplace> placesOf(SessionId session) {
        return store.now().places.values().stream()
                .filter(p -> p.session().equals(session))
                .toList();
    }

    @Override
    public int ask(String removal, Errand.Kind kind, Errand.Terms terms, int placesMax) {
        var names = new LinkedHashMap<SessionId, String>();
        var members = Objects.requireNonNull(store.now().removals.get(removal)).members();
        members.forEach(m -> names.put(m.id(), m.name()));
        var asked = new HashSet<Long>();
        heldOf(removal, kind).forEach(e -> asked.addAll(e.places()));
        var kept = new HashSet<Long>();
        heldOf(removal, Errand.Kind.KEEP).forEach(e -> kept.addAll(e.places()));
        boolean anywhere = kind != Errand.Kind.RELEASE;
        boolean isKeep = kind == Errand.Kind.KEEP;
        var found = new LinkedHashMap<Long, Workplace>();
        store.now()
                .places
                .forEach((key, place) -> {
                    boolean more = found.size() < placesMax && !asked.contains(key);
                    more = more && (kind.takesAway() || isKeep || !isAskedFor(place, asked));
                    more = more && (anywhere || kept.contains(key));
                    if (more && names.containsKey(place.session())) found.put(key, place);
                });
        if (!anywhere) kept(removal, found, asked, placesMax);
        add(removal, kind, terms, found, names);
        return found.size();
    }

    /** Repositories with preserved refs; their keys are greater than those of all places. */
    private void kept(String removal, Map<Long, Workplace> found, Set<Long> asked, int max) {
        for (var keep : heldOf(removal, Errand.Kind.KEEP).toList()) {
            long key = 1_000_000_000_000L + 1_000 * key(keep.errand().id());
            var session = keep.errand().places().getFirst().session();
            for (var item : keep.items()) {
                key++;
                var kept = item.kept();
                boolean more = found.size() < max && !asked.contains(key);
                if (!more || kept == null || kept.ref() == null) continue;
                var made = Workplace.Made.BY_OTHERS;
                found.put(key, new Workplace(session, item.host(), item.directory(), made, ""));
            }
        }
    }

    @Override
    public List<Asked> look(Around around, Errand.Kind kind, Errand.Terms terms, int placesMax) {
        var top = around.top();
        var reach = around.reach();
        var sessions = new ArrayList<Session>();
        store.sessions().find(top).ifPresent(sessions::add);
        if (reach == Reach.TREE) {
            var all = Cursor.first(Integer.MAX_VALUE);
            sessions.addAll(store.sessions().descendants(top, Bounds.TREE_DEPTH_MAX, all).items());
        }
        var names = new LinkedHashMap<SessionId, String>();
        sessions.forEach(s -> names.put(s.id(), s.name()));
        var found = new LinkedHashMap<Long, Workplace>();
        store.now()
                .places
                .forEach((key, place) -> {
                    if (names.containsKey(place.session())) found.put(key, place);
                });
        return add(null, kind, terms, found, names);
    }

    @Override
    public List<Asked> check(List<String> hosts, Errand.Terms terms, int placesMax) {
        var asked = new ArrayList<Asked>();
        for (var host : hosts) {
            var id = new ErrandId("err_" + ++store.now().lastKey);
            var errand = new Errand(id, Errand.Kind.CHECK, host, null, terms, List.of(), List.of());
            put(new HeldErrand(errand, Set.of(), null, null, null, null, false, List.of()));
            asked.add(new Asked(id, host));
        }
        if (!asked.isEmpty()) store.raise(new Topic.ErrandWaits());
        return List.copyOf(asked);
    }

    private List<Asked> add(
            @Nullable String removal,
            Errand.Kind kind,
            Errand.Terms terms,
            Map<Long, Workplace> found,
            Map<SessionId, String> names) {
        var asked = new ArrayList<Asked>();
        for (var host : found.values().stream().map(Workplace::host).distinct().toList()) {
            var id = new ErrandId("err_" + ++store.now().lastKey);
            var keys = new HashSet<Long>();
            var places = new ArrayList<Errand.Place>();
            var runs = new ArrayList<RunId>();
            found.forEach((key, p) -> {
                if (!p.host().equals(host)) return;
                keys.add(key);
                var name = Objects.requireNonNull(names.get(p.session()));
                boolean again =
                        removal != null
                                && kind == Errand.Kind.KEEP
                                && heldOf(removal, kind).anyMatch(e -> isAskedFor(p, e.places()));
                places.add(
                        new Errand.Place(
                                p.directory(), p.made(), p.session(), name, p.outputs(), again));
                store.removals().allRuns().stream()
                        .filter(r -> r.session().equals(p.session()))
                        .forEach(r -> runs.add(r.id()));
            });
            var errand = new Errand(id, kind, host, removal, terms, places, runs);
            put(new HeldErrand(errand, keys, null, null, null, null, false, List.of()));
            asked.add(new Asked(id, host));
        }
        if (!asked.isEmpty()) store.raise(new Topic.ErrandWaits());
        return List.copyOf(asked);
    }

    @Override
    public List<ErrandId> open(String host, RunnerId runner, Instant now, int max) {
        return store.now().errands.values().stream()
                .filter(e -> e.ended() == null && e.errand().host().equals(host))
                .filter(e -> !isTooEarly(e.errand()))
                .filter(e -> {
                    var taken = e.taken();
                    if (taken == null) return true;
                    var patience = runner.equals(e.runner()) ? TOLD_AGAIN : TAKEN_FOR;
                    return !taken.plus(patience).isAfter(now);
                })
                .map(e -> e.errand().id())
                .limit(max)
                .toList();
    }

    private boolean isKeptForOthers(Errand errand, WorkItem item) {
        var removal = errand.removal();
        if (removal == null || errand.kind() != Errand.Kind.KEEP || item.kept() != null) {
            return false;
        }
        for (var other : heldOf(removal, Errand.Kind.KEEP).toList()) {
            if (key(other.errand().id()) >= key(errand.id())) continue;
            var all = new ArrayList<WorkItem>();
            boolean found = false;
            for (var o : other.items()) {
                boolean same = o.kind() == item.kind() && o.directory().equals(item.directory());
                found |= same;
                all.add(same ? o.sharedWith(item.sessions()) : o);
            }
            if (!found) continue;
            put(other.with(all));
            return true;
        }
        return false;
    }

    /** True if a task covers the directory already, for another session that shares it. */
    private boolean isAskedFor(Workplace place, Set<Long> asked) {
        return asked.stream()
                .map(key -> store.now().places.get(key))
                .anyMatch(p ->
                        p != null
                                && p.host().equals(place.host())
                                && p.directory().equals(place.directory()));
    }

    /** True if the task must wait until an earlier KEEP task on the host has ended. */
    private boolean isTooEarly(Errand errand) {
        var removal = errand.removal();
        boolean shares = errand.places().stream().anyMatch(Errand.Place::again);
        if (removal != null && errand.kind() == Errand.Kind.KEEP && shares) {
            return heldOf(removal, Errand.Kind.KEEP)
                    .anyMatch(k ->
                            k.ended() == null
                                    && k.errand().host().equals(errand.host())
                                    && key(k.errand().id()) < key(errand.id()));
        }
        return errand.kind() == Errand.Kind.RELEASE
                && removal != null
                && heldOf(removal, Errand.Kind.KEEP)
                        .anyMatch(
                                k -> k.ended() == null && k.errand().host().equals(errand.host()));
    }

    @Override
    public boolean isUnheard(String host, RunnerId runner, Instant now) {
        return unheard(host, runner, now).findAny().isPresent();
    }

    @Override
    public void heard(String host, RunnerId runner, Instant at) {
        unheard(host, runner, at).toList().forEach(e -> put(e.takenBy(runner, at)));
    }

    private Stream<HeldErrand> unheard(String host, RunnerId runner, Instant now) {
        var unheard = now.minus(TAKEN_FOR).plus(UNHEARD_FOR);
        return store.now().errands.values().stream()
                .filter(e -> e.ended() == null && e.errand().host().equals(host))
                .filter(e -> runner.equals(e.runner()))
                .filter(e -> e.taken() != null && !e.taken().isAfter(unheard));
    }

    @Override
    public boolean isTaken(ErrandId id, RunnerId runner, Instant at) {
        var errand = held(id).orElseThrow();
        var unheard = at.minus(TAKEN_FOR).plus(UNHEARD_FOR);
        put(errand.takenBy(runner, runner.equals(errand.runner()) ? at : unheard));
        return true;
    }

    @Override
    public void keptMore(ErrandId id, List<WorkItem> items) {
        var held = held(id).orElseThrow();
        var all = new ArrayList<>(held.items());
        all.addAll(items);
        put(held.takenBy(null, null).with(all));
    }

    @Override
    public boolean hasAnswered(ErrandId id) {
        return held(id).filter(e -> e.ended() != null && e.failure() == null).isPresent();
    }

    @Override
    public Optional<String> failure(ErrandId id) {
        return held(id).map(HeldErrand::failure);
    }

    @Override
    public Optional<Errand> find(ErrandId id) {
        return held(id).map(HeldErrand::errand).map(this::sent);
    }

    /** A LOOK task names its removal only if the removal may discard work. */
    private Errand sent(Errand errand) {
        var removal = errand.removal();
        if (removal == null || errand.kind() != Errand.Kind.LOOK) return errand;
        var of = Objects.requireNonNull(store.now().removals.get(removal)).removal();
        if (of.choices().discards()) return errand;
        return new Errand(
                errand.id(),
                errand.kind(),
                errand.host(),
                null,
                errand.terms(),
                errand.places(),
                errand.runs());
    }

    @Override
    public boolean isOpen(ErrandId id) {
        return held(id).filter(e -> e.ended() == null).isPresent();
    }

    @Override
    public void done(ErrandId id, Instant at, List<WorkItem> items) {
        var errand = held(id).orElseThrow();
        var own = new ArrayList<WorkItem>();
        for (var item : items) if (!isKeptForOthers(errand.errand(), item)) own.add(item);
        put(errand.ended(at, null, false).with(own));
    }

    @Override
    public void failed(ErrandId id, Instant at, String why) {
        put(held(id).orElseThrow().ended(at, why, false));
    }

    @Override
    public ErrandId adopt(String removal, String host, Instant at) {
        throw new UnsupportedOperationException("backup files are read only by database stores");
    }

    @Override
    public Progress progress(String removal, Errand.Kind kind) {
        var open = heldOf(removal, kind).filter(e -> e.ended() == null).toList();
        var failed =
                heldOf(removal, kind).filter(e -> e.failure() != null && !e.givenUp()).toList();
        return new Progress(
                open.size(),
                failed.size(),
                failed.isEmpty() ? null : failed.getFirst().failure(),
                open.stream().map(e -> e.errand().host()).distinct().toList(),
                open.stream()
                        .filter(e -> e.taken() != null)
                        .map(e -> e.errand().host())
                        .distinct()
                        .toList());
    }

    @Override
    public int releaseAgain(Instant failedBefore) {
        var failed =
                store.now().errands.values().stream()
                        .filter(e -> e.errand().kind() == Errand.Kind.RELEASE)
                        .filter(e -> hasFailed(e, failedBefore))
                        .toList();
        failed.forEach(e -> put(e.ended(null, null, false).takenBy(null, null)));
        return failed.size();
    }

    @Override
    public void askAgain(String removal, Errand.Kind kind, Instant failedBefore) {
        heldOf(removal, kind)
                .filter(e -> hasFailed(e, failedBefore) && !e.givenUp())
                .toList()
                .forEach(e -> put(e.ended(null, null, false).takenBy(null, null)));
    }

    private static boolean hasFailed(HeldErrand held, Instant before) {
        var ended = held.ended();
        return held.failure() != null && ended != null && ended.isBefore(before);
    }

    @Override
    public void giveUp(String removal, Errand.Kind kind, Instant at, String why) {
        heldOf(removal, kind)
                .filter(e -> e.failure() != null || (isSilent(e, at) && !isNext(e, at)))
                .filter(e -> !e.givenUp())
                .toList()
                .forEach(e -> put(e.ended(at, why, true)));
    }

    @Override
    public void letGo(String removal, Errand.Kind kind, Instant at, String why) {
        heldOf(removal, kind)
                .filter(e -> e.failure() != null || isSilent(e, at))
                .filter(e -> !e.givenUp())
                .toList()
                .forEach(e -> put(e.ended(at, why, true)));
    }

    private static boolean isSilent(HeldErrand errand, Instant at) {
        var taken = errand.taken();
        return errand.ended() == null && (taken == null || !taken.plus(TAKEN_FOR).isAfter(at));
    }

    /** True if the task waits for an earlier KEEP task on the host that was active recently. */
    private boolean isNext(HeldErrand errand, Instant at) {
        var task = errand.errand();
        return heldOf(Objects.requireNonNull(task.removal()), Errand.Kind.KEEP)
                .filter(k -> k.errand().host().equals(task.host()))
                .filter(k -> key(k.errand().id()) < key(task.id()))
                .map(k -> k.ended() == null ? k.taken() : k.ended())
                .anyMatch(heard -> heard != null && heard.plus(TAKEN_FOR).isAfter(at));
    }

    @Override
    public List<NotKept> notKept(String removal, int max) {
        return store.now().errands.values().stream()
                .filter(e -> removal.equals(e.errand().removal()) && e.givenUp())
                .filter(e -> e.errand().kind() != Errand.Kind.RELEASE)
                .limit(max)
                .map(e -> {
                    var places = e.errand().places().stream().map(Errand.Place::directory);
                    return new NotKept(
                            e.errand().host(), String.valueOf(e.failure()), places.toList());
                })
                .toList();
    }

    @Override
    public List<WorkItem> found(List<ErrandId> ids) {
        return ids.stream()
                .flatMap(id -> held(id).stream())
                .flatMap(e -> e.items().stream())
                .toList();
    }

    @Override
    public Slice<WorkItem> found(String removal, Cursor cursor) {
        var all =
                store.now().errands.values().stream()
                        .filter(e -> removal.equals(e.errand().removal()))
                        .flatMap(e -> e.items().stream())
                        .toList();
        int from = cursor.after() == null ? 0 : Integer.parseInt(cursor.after());
        int to = Math.min(all.size(), from + cursor.max());
        var next = to < all.size() ? Integer.toString(to) : null;
        return new Slice<>(all.subList(from, to), next);
    }

    @Override
    public void forget(List<ErrandId> looks) {
        looks.forEach(id -> store.now().errands.remove(key(id)));
    }

    @Override
    public List<ErrandId> of(String removal, Errand.Kind kind) {
        return heldOf(removal, kind).map(e -> e.errand().id()).toList();
    }

    @Override
    public List<String> forgetOutput(String removal) {
        var files = new ArrayList<String>();
        for (var held : List.copyOf(store.now().errands.values())) {
            if (!removal.equals(held.errand().removal())) continue;
            var left = new ArrayList<WorkItem>();
            for (var item : held.items()) {
                var kept = item.kept();
                if (item.kind() == WorkItem.Kind.OUTPUT && kept != null && kept.file() != null) {
                    files.add(kept.file());
                } else {
                    left.add(item);
                }
            }
            put(held.with(left));
        }
        return files;
    }

    @Override
    public int forgetLooks(Instant askedBefore, Instant copied) {
        int before = store.now().errands.size();
        store.now()
                .errands
                .values()
                .removeIf(e -> e.errand().removal() == null && isOld(e, askedBefore, copied));
        return before - store.now().errands.size();
    }

    private static boolean isOld(HeldErrand e, Instant askedBefore, Instant copied) {
        var at = e.errand().terms().at();
        return switch (e.errand().kind()) {
            case LOOK, CHECK -> at.isBefore(askedBefore);
            case COPY -> at.isBefore(copied);
            default -> false;
        };
    }
}
