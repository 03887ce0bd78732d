package dev.coppice.held;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.kernel.Topic;
import dev.coppice.session.Session;
import dev.coppice.work.DirectoryTask;
import dev.coppice.work.DirectoryTaskId;
import dev.coppice.work.DirectoryTasks;
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
public final class HeldDirectoryTasks implements DirectoryTasks, Workplaces {
    private static final Duration TAKEN_FOR = Duration.ofMinutes(2);
    private static final Duration UNHEARD_FOR = Duration.ofSeconds(3);
    private static final Duration TOLD_AGAIN = Duration.ofSeconds(5);
    private final HeldStore store;

    HeldDirectoryTasks(HeldStore store) {
        this.store = store;
    }

    /** A directory task with the keys of its places, its claim and its outcome. */
    record HeldTask(
            DirectoryTask task,
            Set<Long> places,
            @Nullable RunnerId runner,
            @Nullable Instant taken,
            @Nullable Instant ended,
            @Nullable String failure,
            boolean givenUp,
            List<WorkItem> items) {
        HeldTask {
            places = Set.copyOf(places);
            items = List.copyOf(items);
        }

        HeldTask takenBy(@Nullable RunnerId by, @Nullable Instant at) {
            return new HeldTask(task, places, by, at, ended, failure, givenUp, items);
        }

        HeldTask ended(@Nullable Instant at, @Nullable String why, boolean givesUp) {
            return new HeldTask(task, places, runner, taken, at, why, givesUp, items);
        }

        HeldTask with(List<WorkItem> found) {
            return new HeldTask(task, places, runner, taken, ended, failure, givenUp, found);
        }
    }

    private Stream<HeldTask> heldOf(String removal, DirectoryTask.Kind kind) {
        return store.now().tasks.values().stream()
                .filter(e -> removal.equals(e.task().removal()) && e.task().kind() == kind);
    }

    private Optional<HeldTask> held(DirectoryTaskId id) {
        return Optional.ofNullable(store.now().tasks.get(id.key()));
    }

    private void put(HeldTask held) {
        store.now().tasks.put(held.task().id().key(), held);
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
    public boolean isMade(String host, String directory) {
        return store.now().places.values().stream()
                .anyMatch(p ->
                        p.host().equals(host)
                                && p.directory().equals(directory)
                                && p.made() == Workplace.Made.BY_COPPICE);
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
    public int create(
            String removal, DirectoryTask.Kind kind, DirectoryTask.Terms terms, int placesMax) {
        var names = new LinkedHashMap<SessionId, String>();
        var members = Objects.requireNonNull(store.now().removals.get(removal)).members();
        members.forEach(m -> names.put(m.id(), m.name()));
        var asked = new HashSet<Long>();
        heldOf(removal, kind).forEach(e -> asked.addAll(e.places()));
        var preserved = new HashSet<Long>();
        heldOf(removal, DirectoryTask.Kind.PRESERVE).forEach(e -> preserved.addAll(e.places()));
        boolean anywhere = kind != DirectoryTask.Kind.RELEASE;
        boolean isPreserve = kind == DirectoryTask.Kind.PRESERVE;
        var found = new LinkedHashMap<Long, Workplace>();
        store.now()
                .places
                .forEach((key, place) -> {
                    boolean more = found.size() < placesMax && !asked.contains(key);
                    more =
                            more
                                    && (kind.deletesDirectories()
                                            || isPreserve
                                            || !isAskedFor(place, asked));
                    more = more && (anywhere || preserved.contains(key));
                    if (more && names.containsKey(place.session())) found.put(key, place);
                });
        if (!anywhere) preserved(removal, found, asked, placesMax);
        add(removal, kind, terms, found, names);
        return found.size();
    }

    /** Repositories with preserved refs; their keys are greater than those of all places. */
    private void preserved(String removal, Map<Long, Workplace> found, Set<Long> asked, int max) {
        for (var keep : heldOf(removal, DirectoryTask.Kind.PRESERVE).toList()) {
            long key = 1_000_000_000_000L + 1_000 * keep.task().id().key();
            var session = keep.task().places().getFirst().session();
            for (var item : keep.items()) {
                key++;
                var preserved = item.preserved();
                boolean more = found.size() < max && !asked.contains(key);
                if (!more || preserved == null || preserved.ref() == null) continue;
                var made = Workplace.Made.BY_OTHERS;
                found.put(key, new Workplace(session, item.host(), item.directory(), made, ""));
            }
        }
    }

    @Override
    public List<Created> inspect(
            Around around, DirectoryTask.Kind kind, DirectoryTask.Terms terms, int placesMax) {
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
    public List<Created> inspectHosts(
            List<String> hosts, DirectoryTask.Terms terms, int placesMax) {
        var asked = new ArrayList<Created>();
        for (var host : hosts) {
            var id = DirectoryTaskId.of(++store.now().lastKey);
            var task =
                    new DirectoryTask(
                            id, DirectoryTask.Kind.CHECK, host, null, terms, List.of(), List.of());
            put(new HeldTask(task, Set.of(), null, null, null, null, false, List.of()));
            asked.add(new Created(id, host));
        }
        if (!asked.isEmpty()) store.raise(new Topic.TaskWaits());
        return List.copyOf(asked);
    }

    private List<Created> add(
            @Nullable String removal,
            DirectoryTask.Kind kind,
            DirectoryTask.Terms terms,
            Map<Long, Workplace> found,
            Map<SessionId, String> names) {
        var asked = new ArrayList<Created>();
        for (var host : found.values().stream().map(Workplace::host).distinct().toList()) {
            var id = DirectoryTaskId.of(++store.now().lastKey);
            var keys = new HashSet<Long>();
            var places = new ArrayList<DirectoryTask.Place>();
            var runs = new ArrayList<RunId>();
            found.forEach((key, p) -> {
                if (!p.host().equals(host)) return;
                keys.add(key);
                var name = Objects.requireNonNull(names.get(p.session()));
                boolean again =
                        removal != null
                                && kind == DirectoryTask.Kind.PRESERVE
                                && heldOf(removal, kind).anyMatch(e -> isAskedFor(p, e.places()));
                places.add(
                        new DirectoryTask.Place(
                                p.directory(), p.made(), p.session(), name, p.outputs(), again));
                store.removals().allRuns().stream()
                        .filter(r -> r.session().equals(p.session()))
                        .forEach(r -> runs.add(r.id()));
            });
            var task = new DirectoryTask(id, kind, host, removal, terms, places, runs);
            put(new HeldTask(task, keys, null, null, null, null, false, List.of()));
            asked.add(new Created(id, host));
        }
        if (!asked.isEmpty()) store.raise(new Topic.TaskWaits());
        return List.copyOf(asked);
    }

    @Override
    public List<DirectoryTaskId> claimable(String host, RunnerId runner, Instant now, int max) {
        return store.now().tasks.values().stream()
                .filter(e -> e.ended() == null && e.task().host().equals(host))
                .filter(e -> !isTooEarly(e.task()))
                .filter(e -> {
                    var taken = e.taken();
                    if (taken == null) return true;
                    var patience = runner.equals(e.runner()) ? TOLD_AGAIN : TAKEN_FOR;
                    return !taken.plus(patience).isAfter(now);
                })
                .map(e -> e.task().id())
                .limit(max)
                .toList();
    }

    private boolean shareIfPreserved(DirectoryTask task, WorkItem item) {
        var removal = task.removal();
        if (removal == null
                || task.kind() != DirectoryTask.Kind.PRESERVE
                || item.preserved() != null) {
            return false;
        }
        for (var other : heldOf(removal, DirectoryTask.Kind.PRESERVE).toList()) {
            if (other.task().id().key() >= task.id().key()) continue;
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

    /** True if the task must wait until an earlier PRESERVE task on the host has ended. */
    private boolean isTooEarly(DirectoryTask task) {
        var removal = task.removal();
        boolean shares = task.places().stream().anyMatch(DirectoryTask.Place::again);
        if (removal != null && task.kind() == DirectoryTask.Kind.PRESERVE && shares) {
            return heldOf(removal, DirectoryTask.Kind.PRESERVE)
                    .anyMatch(k ->
                            k.ended() == null
                                    && k.task().host().equals(task.host())
                                    && k.task().id().key() < task.id().key());
        }
        return task.kind() == DirectoryTask.Kind.RELEASE
                && removal != null
                && heldOf(removal, DirectoryTask.Kind.PRESERVE)
                        .anyMatch(k -> k.ended() == null && k.task().host().equals(task.host()));
    }

    @Override
    public boolean awaitsAcknowledgement(String host, RunnerId runner, Instant now) {
        return unheard(host, runner, now).findAny().isPresent();
    }

    @Override
    public void acknowledge(String host, RunnerId runner, Instant at) {
        unheard(host, runner, at).toList().forEach(e -> put(e.takenBy(runner, at)));
    }

    private Stream<HeldTask> unheard(String host, RunnerId runner, Instant now) {
        var unheard = now.minus(TAKEN_FOR).plus(UNHEARD_FOR);
        return store.now().tasks.values().stream()
                .filter(e -> e.ended() == null && e.task().host().equals(host))
                .filter(e -> runner.equals(e.runner()))
                .filter(e -> e.taken() != null && !e.taken().isAfter(unheard));
    }

    @Override
    public boolean tryClaim(DirectoryTaskId id, RunnerId runner, Instant at) {
        var task = held(id).orElseThrow();
        var unheard = at.minus(TAKEN_FOR).plus(UNHEARD_FOR);
        put(task.takenBy(runner, runner.equals(task.runner()) ? at : unheard));
        return true;
    }

    @Override
    public void addItems(DirectoryTaskId id, List<WorkItem> items) {
        var held = held(id).orElseThrow();
        var all = new ArrayList<>(held.items());
        all.addAll(items);
        put(held.takenBy(null, null).with(all));
    }

    @Override
    public boolean isCompleted(DirectoryTaskId id) {
        return held(id).filter(e -> e.ended() != null && e.failure() == null).isPresent();
    }

    @Override
    public Optional<String> failure(DirectoryTaskId id) {
        return held(id).map(HeldTask::failure);
    }

    @Override
    public Optional<DirectoryTask> find(DirectoryTaskId id) {
        return held(id).map(HeldTask::task).map(this::sent);
    }

    /** An INSPECT task names its removal only if the removal may discard work. */
    private DirectoryTask sent(DirectoryTask task) {
        var removal = task.removal();
        if (removal == null || task.kind() != DirectoryTask.Kind.INSPECT) return task;
        var of = Objects.requireNonNull(store.now().removals.get(removal)).removal();
        if (of.choices().discards()) return task;
        return new DirectoryTask(
                task.id(),
                task.kind(),
                task.host(),
                null,
                task.terms(),
                task.places(),
                task.runs());
    }

    @Override
    public boolean isOpen(DirectoryTaskId id) {
        return held(id).filter(e -> e.ended() == null).isPresent();
    }

    @Override
    public void complete(DirectoryTaskId id, Instant at, List<WorkItem> items) {
        var task = held(id).orElseThrow();
        var own = new ArrayList<WorkItem>();
        for (var item : items) if (!shareIfPreserved(task.task(), item)) own.add(item);
        put(task.ended(at, null, false).with(own));
    }

    @Override
    public void fail(DirectoryTaskId id, Instant at, String why) {
        put(held(id).orElseThrow().ended(at, why, false));
    }

    @Override
    public DirectoryTaskId adopt(String removal, String host, Instant at) {
        throw new UnsupportedOperationException("backup files are read only by database stores");
    }

    @Override
    public Progress progress(String removal, DirectoryTask.Kind kind) {
        var open = heldOf(removal, kind).filter(e -> e.ended() == null).toList();
        var failed =
                heldOf(removal, kind).filter(e -> e.failure() != null && !e.givenUp()).toList();
        return new Progress(
                open.size(),
                failed.size(),
                failed.isEmpty() ? null : failed.getFirst().failure(),
                open.stream().map(e -> e.task().host()).distinct().toList(),
                open.stream()
                        .filter(e -> e.taken() != null)
                        .map(e -> e.task().host())
                        .distinct()
                        .toList());
    }

    @Override
    public int retryReleases(Instant failedBefore) {
        var failed =
                store.now().tasks.values().stream()
                        .filter(e -> e.task().kind() == DirectoryTask.Kind.RELEASE)
                        .filter(e -> hasFailed(e, failedBefore))
                        .toList();
        failed.forEach(e -> put(e.ended(null, null, false).takenBy(null, null)));
        return failed.size();
    }

    @Override
    public void retryFailed(String removal, DirectoryTask.Kind kind, Instant failedBefore) {
        heldOf(removal, kind)
                .filter(e -> hasFailed(e, failedBefore) && !e.givenUp())
                .toList()
                .forEach(e -> put(e.ended(null, null, false).takenBy(null, null)));
    }

    private static boolean hasFailed(HeldTask held, Instant before) {
        var ended = held.ended();
        return held.failure() != null && ended != null && ended.isBefore(before);
    }

    @Override
    public void giveUp(String removal, DirectoryTask.Kind kind, Instant at, String why) {
        heldOf(removal, kind)
                .filter(e -> e.failure() != null || (isSilent(e, at) && !isNext(e, at)))
                .filter(e -> !e.givenUp())
                .toList()
                .forEach(e -> put(e.ended(at, why, true)));
    }

    @Override
    public void cancelUnclaimed(String removal, DirectoryTask.Kind kind, Instant at, String why) {
        heldOf(removal, kind)
                .filter(e -> e.failure() != null || isSilent(e, at))
                .filter(e -> !e.givenUp())
                .toList()
                .forEach(e -> put(e.ended(at, why, true)));
    }

    private static boolean isSilent(HeldTask task, Instant at) {
        var taken = task.taken();
        return task.ended() == null && (taken == null || !taken.plus(TAKEN_FOR).isAfter(at));
    }

    /** True if the task waits for an earlier PRESERVE task on the host that was active recently. */
    private boolean isNext(HeldTask held, Instant at) {
        var task = held.task();
        return heldOf(Objects.requireNonNull(task.removal()), DirectoryTask.Kind.PRESERVE)
                .filter(k -> k.task().host().equals(task.host()))
                .filter(k -> k.task().id().key() < task.id().key())
                .map(k -> k.ended() == null ? k.taken() : k.ended())
                .anyMatch(heard -> heard != null && heard.plus(TAKEN_FOR).isAfter(at));
    }

    @Override
    public List<NotPreserved> notPreserved(String removal, int max) {
        return store.now().tasks.values().stream()
                .filter(e -> removal.equals(e.task().removal()) && e.givenUp())
                .filter(e -> e.task().kind() != DirectoryTask.Kind.RELEASE)
                .limit(max)
                .map(e -> {
                    var places = e.task().places().stream().map(DirectoryTask.Place::directory);
                    return new NotPreserved(
                            e.task().host(), String.valueOf(e.failure()), places.toList());
                })
                .toList();
    }

    @Override
    public List<WorkItem> found(List<DirectoryTaskId> ids) {
        return ids.stream()
                .flatMap(id -> held(id).stream())
                .flatMap(e -> e.items().stream())
                .toList();
    }

    @Override
    public Slice<WorkItem> found(String removal, Cursor cursor) {
        var all =
                store.now().tasks.values().stream()
                        .filter(e -> removal.equals(e.task().removal()))
                        .flatMap(e -> e.items().stream())
                        .toList();
        int from = cursor.after() == null ? 0 : Integer.parseInt(cursor.after());
        int to = Math.min(all.size(), from + cursor.max());
        var next = to < all.size() ? Integer.toString(to) : null;
        return new Slice<>(all.subList(from, to), next);
    }

    @Override
    public void delete(List<DirectoryTaskId> looks) {
        looks.forEach(id -> store.now().tasks.remove(id.key()));
    }

    @Override
    public List<DirectoryTaskId> idsOf(String removal, DirectoryTask.Kind kind) {
        return heldOf(removal, kind).map(e -> e.task().id()).toList();
    }

    @Override
    public void deleteOutput(String removal) {
        for (var held : List.copyOf(store.now().tasks.values())) {
            if (!removal.equals(held.task().removal())) continue;
            put(held.with(held.items().stream().filter(item -> !isOutputInAFile(item)).toList()));
        }
    }

    private static boolean isOutputInAFile(WorkItem item) {
        var kept = item.preserved();
        return item.kind() == WorkItem.Kind.OUTPUT && kept != null && kept.file() != null;
    }

    @Override
    public int deleteInspections(Instant askedBefore, Instant copied) {
        int before = store.now().tasks.size();
        store.now()
                .tasks
                .values()
                .removeIf(e -> e.task().removal() == null && isOld(e, askedBefore, copied));
        return before - store.now().tasks.size();
    }

    private static boolean isOld(HeldTask e, Instant askedBefore, Instant copied) {
        var at = e.task().terms().at();
        return switch (e.task().kind()) {
            case INSPECT, CHECK -> at.isBefore(askedBefore);
            case COPY -> at.isBefore(copied);
            default -> false;
        };
    }
}
