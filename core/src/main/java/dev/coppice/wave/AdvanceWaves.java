package dev.coppice.wave;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Transactions;
import dev.coppice.wave.Planned.Fate;
import dev.coppice.wave.WaveMember.Progress;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Starts the members of waves as soon as the members that they need allow it. */
public final class AdvanceWaves {
    public static final int MEMBERS_MAX = 1_000;
    private static final int WAVES_PER_SWEEP_MAX = 20;

    private final Transactions transactions;
    private final Waves waves;
    private final Starter starter;
    private final InstantSource clock;

    public AdvanceWaves(
            Transactions transactions, Waves waves, Starter starter, InstantSource clock) {
        this.transactions = transactions;
        this.waves = waves;
        this.starter = starter;
        this.clock = clock;
    }

    /** Starts a member. Whatever is slow about it happens before the transaction. */
    public interface Starter {
        Outcome<Start> prepare(Placed member);
    }

    /** The start itself, within a transaction. */
    public interface Start {
        Outcome<SessionId> now();
    }

    /** A member, the session below which it starts, and the sessions of those it follows. */
    public record Placed(
            Wave wave,
            Planned member,
            @Nullable SessionId parent,
            Map<String, SessionId> followed) {
        public Placed {
            followed = Map.copyOf(followed);
        }
    }

    private record Due(WavePlan plan, List<WavePlan.Step> steps) {}

    /** Returns how many members were started or given up. */
    public int sweep() {
        int moved = 0;
        for (var id : transactions.read(() -> waves.waiting(WAVES_PER_SWEEP_MAX))) {
            var due = transactions.read(() -> due(id));
            for (var step : due.steps()) moved += take(due.plan(), step) ? 1 : 0;
        }
        return moved;
    }

    private Due due(String id) {
        var wave = waves.find(id).orElseThrow();
        var plan = new WavePlan(wave, waves.planned(wave));
        var states = new HashMap<SessionId, Progress>();
        for (var member : waves.members(id, MEMBERS_MAX)) {
            states.put(member.session(), member.progress());
        }
        var started = new HashMap<String, Progress>();
        for (var member : plan.members()) {
            var now = states.get(member.fate().session());
            if (now != null) started.put(member.name(), now);
        }
        return new Due(plan, plan.next(started, clock.instant()));
    }

    private boolean take(WavePlan plan, WavePlan.Step step) {
        return switch (step) {
            case WavePlan.Step.Start(var member) -> start(plan, member);
            case WavePlan.Step.Skip(var member, var why) ->
                    settle(plan.wave(), member, fate(Planned.State.SKIPPED, null, why));
        };
    }

    private boolean start(WavePlan plan, Planned member) {
        var sessions = new HashMap<String, SessionId>();
        for (var other : plan.members()) {
            var session = other.fate().session();
            if (session != null) sessions.put(other.name(), session);
        }
        var below = member.below();
        var parent = below == null ? plan.wave().parent() : sessions.get(below);
        sessions.keySet().retainAll(member.follows());
        var ready = starter.prepare(new Placed(plan.wave(), member, parent, sessions));
        return transactions.write(() -> {
            boolean isStillDue =
                    waves.planned(plan.wave()).stream()
                            .anyMatch(p -> p.name().equals(member.name()) && p.isWaiting());
            if (!isStillDue) return false;
            return switch (ready.then(Start::now)) {
                case Outcome.Done<SessionId>(var session) -> {
                    waves.join(session, plan.wave().id(), member.phase());
                    yield settle(plan.wave(), member, fate(Planned.State.STARTED, session, null));
                }
                case Outcome.Refused<SessionId>(var refusal) ->
                        settle(
                                plan.wave(),
                                member,
                                fate(Planned.State.REFUSED, null, refusal.said()));
            };
        });
    }

    private Fate fate(Planned.State state, @Nullable SessionId session, @Nullable String why) {
        return new Fate(state, session, clock.instant(), why);
    }

    private boolean settle(Wave wave, Planned member, Fate fate) {
        return transactions.write(() -> waves.settle(wave, member.name(), fate));
    }

    /** Cancels the members that wait. Joins the current transaction. */
    public int cancel(Wave wave, String why) {
        int cancelled = 0;
        for (var member : waves.planned(wave)) {
            if (!member.isWaiting()) continue;
            if (settle(wave, member, fate(Planned.State.CANCELLED, null, why))) cancelled++;
        }
        return cancelled;
    }
}
