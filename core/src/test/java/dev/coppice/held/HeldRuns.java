package dev.coppice.held;

import dev.coppice.held.HeldStore.HeldRun;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.run.Lane;
import dev.coppice.run.Run;
import dev.coppice.run.RunFilter;
import dev.coppice.run.RunState;
import dev.coppice.run.RunWord;
import dev.coppice.run.Runs;
import dev.coppice.session.SessionState;
import dev.coppice.session.StateWord;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Runs in memory. */
public final class HeldRuns implements Runs {
    private final HeldStore store;

    HeldRuns(HeldStore store) {
        this.store = store;
    }

    private Stream<HeldRun> all() {
        return store.now().runs.values().stream();
    }

    private Stream<Run> live() {
        return all().map(HeldRun::run).filter(r -> !(r.state() instanceof RunState.Ended));
    }

    @Override
    public Optional<Run> find(RunId id) {
        return Optional.ofNullable(store.held(id)).map(HeldRun::run);
    }

    @Override
    public Optional<Run> liveOf(SessionId session) {
        return live().filter(r -> r.session().equals(session)).findFirst();
    }

    @Override
    public Optional<Run> latestOf(SessionId session) {
        return all().map(HeldRun::run)
                .filter(r -> r.session().equals(session))
                .reduce((_, later) -> later);
    }

    @Override
    public void add(Run run) {
        if (liveOf(run.session()).isPresent()) {
            throw new IllegalStateException("session " + run.session() + " has a live run");
        }
        long key = ++store.now().lastKey;
        store.now().runs.put(key, new HeldRun(run, key, 0, null));
    }

    @Override
    public void save(Run run) {
        var held = Objects.requireNonNull(store.held(run.id()), "no run " + run.id());
        var lease = run.state().held();
        long fence = lease == null ? held.fence() : lease.holder().fence();
        store.now().runs.put(held.key(), new HeldRun(run, held.key(), fence, held.waiting()));
        store.now().aside.remove(run.id().value());
    }

    @Override
    public boolean setOutput(RunId id, long bytes) {
        var known = store.now().outputBytes.getOrDefault(id.value(), 0L);
        if (bytes == known) return false;
        store.now().outputBytes.put(id.value(), bytes);
        return true;
    }

    @Override
    public Slice<Run> list(RunFilter filter, Cursor cursor) {
        var sessions = store.sessions();
        var found =
                List.copyOf(store.now().runs.values()).reversed().stream()
                        .filter(h ->
                                filter.states().isEmpty()
                                        || filter.states().contains(RunWord.of(h.run().state())))
                        .filter(h ->
                                filter.session() == null
                                        || filter.session().equals(h.run().session()))
                        .filter(h ->
                                filter.within() == null
                                        || sessions.isWithin(h.run().session(), filter.within()))
                        .filter(h ->
                                cursor.after() == null || h.key() < Long.parseLong(cursor.after()))
                        .toList();
        return page(found, cursor.max());
    }

    private static Slice<Run> page(List<HeldRun> found, int max) {
        boolean more = found.size() > max;
        var shown = more ? found.subList(0, max) : found;
        return new Slice<>(
                shown.stream().map(HeldRun::run).toList(),
                more ? Long.toString(shown.getLast().key()) : null);
    }

    private Stream<HeldRun> queued() {
        return all().filter(h -> h.run().state() instanceof RunState.Queued)
                .filter(h -> !store.now().aside.containsKey(h.run().id().value()));
    }

    private static Lane lane(Run run) {
        var account = run.task().terms().account();
        return new Lane(run.demands() + " " + account, run.demands(), account);
    }

    @Override
    public List<Lane> lanes() {
        return queued().map(h -> lane(h.run())).distinct().toList();
    }

    @Override
    public Optional<Lane.First> firstIn(Lane lane, long after) {
        return queued().filter(h -> h.key() > after && lane(h.run()).equals(lane))
                .filter(h ->
                        store.sessions()
                                .find(h.run().session())
                                .filter(s -> s.standing().frozen() == null)
                                .isPresent())
                .findFirst()
                .map(h -> new Lane.First(h.run(), h.key(), nextFence(h.run().id())));
    }

    @Override
    public int countIn(Lane lane, int max) {
        return (int) queued().filter(h -> lane(h.run()).equals(lane)).limit(max).count();
    }

    @Override
    public void setAside(SessionId top, SessionId one) {
        var within =
                queued().map(h -> h.run())
                        .filter(r -> store.sessions().isWithin(r.session(), top))
                        .toList();
        within.forEach(r -> store.now().aside.put(r.id().value(), top.value()));
    }

    @Override
    public void takeBack(SessionId top) {
        takeBack(r -> top.value().equals(store.now().aside.get(r.id().value())));
    }

    /** Shows these runs again, unless their sessions are frozen. */
    void takeBack(Predicate<Run> which) {
        live().filter(r -> !store.isFrozen(r.session()) && which.test(r))
                .forEach(r -> store.now().aside.remove(r.id().value()));
    }

    @Override
    public List<Run> heldBy(RunnerId runner) {
        return live().filter(r -> HeldStore.isOf(r, runner)).toList();
    }

    @Override
    public List<Run> heldBy(RunnerId runner, String state) {
        return heldBy(runner).stream().filter(r -> RunWord.of(r.state()).equals(state)).toList();
    }

    @Override
    public List<Run> lastWith(RunnerId runner, String sessionState, Instant after) {
        return store.now().sessions.values().stream()
                .map(HeldStore.HeldSession::session)
                .filter(s -> StateWord.of(s.state()).equals(sessionState))
                .filter(s -> s.state().since().isAfter(after))
                .flatMap(s -> latestOf(s.id()).stream())
                .filter(r ->
                        r.state() instanceof RunState.Ended end
                                && end.by() != null
                                && end.by().runner().equals(runner))
                .toList();
    }

    @Override
    public List<Run> leasedUntil(Instant moment, int max) {
        return live().filter(
                        r -> {
                            var lease = r.state().held();
                            return lease != null && lease.until().isBefore(moment);
                        })
                .limit(max)
                .toList();
    }

    @Override
    public List<Run> unmatchedAt(Instant moment, int max) {
        return live().filter(r ->
                        r.state() instanceof RunState.Queued
                                && !r.marks().unmatchedAt().isAfter(moment))
                .filter(r -> !store.isFrozen(r.session()))
                .filter(r -> {
                    var hold = store.now().holds.get(String.valueOf(r.task().terms().account()));
                    return hold == null || hold.until().plus(AFTER_HOLD).isBefore(moment);
                })
                .limit(max)
                .toList();
    }

    private long nextFence(RunId id) {
        return Objects.requireNonNull(store.held(id)).fence() + 1;
    }

    @Override
    public void setWaiting(RunId id, @Nullable Instant until) {
        var held = Objects.requireNonNull(store.held(id));
        store.now().runs.put(held.key(), new HeldRun(held.run(), held.key(), held.fence(), until));
    }

    private Stream<Run> busy(Instant now) {
        return all().filter(h -> !(h.run().state() instanceof RunState.Ended))
                .filter(h -> h.waiting() == null || h.waiting().isBefore(now))
                .map(HeldRun::run);
    }

    @Override
    public int countBusy(RunnerId runner, Instant now) {
        return (int) busy(now).filter(r -> HeldStore.isOf(r, runner)).count();
    }

    @Override
    public int countBusy(SessionId top, @Nullable SessionId not, Instant now) {
        var sessions = store.sessions();
        return (int)
                busy(now)
                        .filter(r -> !r.session().equals(not))
                        .filter(r -> sessions.isWithin(r.session(), top))
                        .filter(r -> !isAwaitedHook(r.session()))
                        .count();
    }

    /** True for a hook: the run that waits for it is counted in its place. */
    private boolean isAwaitedHook(SessionId session) {
        return live().filter(r -> r.state() instanceof RunState.Hooked)
                .anyMatch(r -> session.value().equals(store.now().hooks.get(r.id().value())));
    }

    @Override
    public int extendLeases(RunnerId holder, Instant until) {
        int extended = 0;
        for (var run : heldBy(holder)) {
            var longer =
                    switch (run.state()) {
                        case RunState.Claimed(var l, var since) when l.until().isBefore(until) ->
                                new RunState.Claimed(
                                        new dev.coppice.run.Lease(l.holder(), until), since);
                        case RunState.Running(var l, var since) when l.until().isBefore(until) ->
                                new RunState.Running(
                                        new dev.coppice.run.Lease(l.holder(), until), since);
                        case RunState.Stopping(var l, var since, var deadline, var reason)
                                when l.until().isBefore(until) ->
                                new RunState.Stopping(
                                        new dev.coppice.run.Lease(l.holder(), until),
                                        since,
                                        deadline,
                                        reason);
                        case RunState other -> other;
                    };
            if (longer.equals(run.state())) continue;
            save(
                    new Run(
                            run.id(),
                            run.session(),
                            run.type(),
                            run.mode(),
                            run.task(),
                            run.demands(),
                            longer,
                            run.marks(),
                            run.result()));
            extended++;
        }
        return extended;
    }

    @Override
    public List<Run> silentAt(Instant now, int max) {
        return live().filter(r -> r.marks().started() != null && !store.isFrozen(r.session()))
                .filter(r -> {
                    var held = store.held(r.id());
                    var waiting = held == null ? null : held.waiting();
                    return waiting == null || waiting.isBefore(now);
                })
                .filter(r -> {
                    var silence = r.task().terms().silence();
                    return silence != null && heard(r).plus(silence).isBefore(now);
                })
                .limit(max)
                .toList();
    }

    private Instant heard(Run run) {
        var started = Objects.requireNonNull(run.marks().started());
        var latest = store.now().lastOutput.getOrDefault(run.id().value(), started);
        for (var entry : store.now().entries.values()) {
            if (run.id().equals(entry.run()) && entry.at().isAfter(latest)) {
                latest = entry.at();
            }
        }
        return latest;
    }

    @Override
    public List<Run> outlivedAt(Instant now, int max) {
        return live().filter(r -> !store.isFrozen(r.session()))
                .filter(r -> {
                    var lifetime = r.task().terms().lifetime();
                    var session = store.sessions().find(r.session()).orElseThrow();
                    var more = store.now().excludedTime.getOrDefault(r.id().value(), Duration.ZERO);
                    return lifetime != null
                            && session.times().created().plus(lifetime).plus(more).isBefore(now);
                })
                .limit(max)
                .toList();
    }

    @Override
    public List<Run> idleOutlivedAt(Instant now, int max) {
        return store.now().sessions.values().stream()
                .map(HeldStore.HeldSession::session)
                .filter(s -> s.state() instanceof SessionState.Idle && !store.isFrozen(s.id()))
                .flatMap(s -> latestOf(s.id()).stream())
                .filter(r -> {
                    var lifetime = r.task().terms().lifetime();
                    var session = store.sessions().find(r.session()).orElseThrow();
                    return lifetime != null
                            && session.times().created().plus(lifetime).isBefore(now);
                })
                .limit(max)
                .toList();
    }

    @Override
    public void extendTimeouts(RunId id, Duration lost, Instant now) {
        store.now().lastOutput.put(id.value(), now);
        store.now().excludedTime.merge(id.value(), lost, Duration::plus);
    }

    @Override
    public void forgiveSilence(Instant now) {
        live().forEach(r -> store.now().lastOutput.put(r.id().value(), now));
    }

    @Override
    public void setCorrections(RunId id, int count) {
        store.now().corrections.put(id.value(), count);
    }

    @Override
    public int countAtWorkOn(String account) {
        return (int)
                live().filter(r -> account.equals(r.task().terms().account()))
                        .filter(r -> !(r.state() instanceof RunState.Queued))
                        .count();
    }
}
