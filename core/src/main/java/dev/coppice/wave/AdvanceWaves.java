package dev.coppice.wave;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RemovalRefusal;
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
    private static final System.Logger LOG = System.getLogger("waves");
    private static final int WAVES_AT_ONCE = 20;

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

    /** Prepares the start of a member: does the slow work before the transaction. */
    public interface Starter {
        Outcome<Start> prepare(Placed member);
    }

    /** The start itself, within a transaction. */
    public interface Start {
        Outcome<SessionId> now();
    }

    /**
     * A member, the session below which it starts, and the sessions of the members that it follows.
     */
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
        @Nullable String after = null;
        do {
            var cursor = new Cursor(after, WAVES_AT_ONCE);
            var some = transactions.read(() -> waves.waiting(cursor));
            for (var id : some.items()) moved += advance(id);
            after = some.next();
        } while (after != null);
        return moved;
    }

    /** A failure of one wave must not hold up the others. */
    private int advance(String id) {
        try {
            var due = transactions.read(() -> due(id));
            int moved = 0;
            for (var step : due.steps()) moved += take(due.plan(), step) ? 1 : 0;
            return moved;
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "could not advance wave " + id, e);
            return 0;
        }
    }

    private Due due(String id) {
        var wave = waves.find(id).orElseThrow();
        var plan = new WavePlan(wave, waves.planned(wave));
        var started = new HashMap<String, Progress>();
        waves.states(wave)
                .forEach((member, state) -> started.put(member, WaveMember.progress(state)));
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
        var run = transactions.read(() -> waves.waitingRun(plan.wave(), member.name()));
        if (run.isEmpty()) return false;
        var placed = new Placed(plan.wave(), member.running(run.get()), parent, sessions);
        var ready = starter.prepare(placed);
        return transactions.write(() -> {
            // Another coordinator may have started it since.
            if (waves.waitingRun(plan.wave(), member.name()).isEmpty()) return false;
            return switch (ready.then(Start::now)) {
                case Outcome.Done<SessionId>(var session) -> {
                    waves.join(session, plan.wave().id(), member.phase());
                    yield settle(plan.wave(), member, fate(Planned.State.STARTED, session, null));
                }
                // An undo of the removal may bring the wave back.
                case Outcome.Refused<SessionId>(RemovalRefusal _) -> false;
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
