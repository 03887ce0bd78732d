package dev.coppice.held;

import dev.coppice.budget.Amounts;
import dev.coppice.budget.Amounts.Kind;
import dev.coppice.budget.Budget;
import dev.coppice.budget.Budgets;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;

/** Budgets in memory. */
public final class HeldBudgets implements Budgets {
    private final HeldStore store;

    HeldBudgets(HeldStore store) {
        this.store = store;
    }

    @Override
    public Optional<Budget> budgetOf(SessionId session) {
        return Optional.ofNullable(store.now().budgets.get(session.value()));
    }

    @Override
    public List<Budget> budgetsAbove(SessionId session) {
        return store.sessions().ancestry(session).stream()
                .flatMap(a -> budgetOf(a.session().id()).stream())
                .toList();
    }

    @Override
    public List<Budget> runningOut(int max) {
        return store.now().budgets.values().stream()
                .filter(b ->
                        b.max().wallMillis() != null
                                && b.warned(Amounts.Kind.WALL_MILLIS) != Budget.Warned.SPENT)
                .filter(b ->
                        store.now().runs.values().stream()
                                .map(HeldStore.HeldRun::run)
                                .filter(r -> r.state().held() != null)
                                .filter(r -> r.marks().started() != null)
                                .anyMatch(r -> store.sessions().isWithin(r.session(), b.session())))
                .limit(max)
                .toList();
    }

    @Override
    public void save(Budget budget) {
        store.now().budgets.put(budget.session().value(), budget);
    }

    @Override
    public void remove(SessionId session) {
        store.now().budgets.remove(session.value());
    }

    @Override
    public void add(SessionId session, Amounts spent) {
        var counted =
                Amounts.spent(
                        counted(spent.orZero(Kind.TOKENS)),
                        counted(spent.orZero(Kind.COST_MICROS)),
                        spent.orZero(Kind.WALL_MILLIS));
        store.now().spent.merge(session.value(), counted, HeldBudgets::sum);
    }

    private static long counted(long amount) {
        return Math.clamp(amount, -COUNTED_MAX, COUNTED_MAX);
    }

    private static Amounts sum(Amounts one, Amounts other) {
        return Amounts.spent(
                counted(one.orZero(Kind.TOKENS) + other.orZero(Kind.TOKENS)),
                counted(one.orZero(Kind.COST_MICROS) + other.orZero(Kind.COST_MICROS)),
                one.orZero(Kind.WALL_MILLIS) + other.orZero(Kind.WALL_MILLIS));
    }

    @Override
    public Amounts own(SessionId session, Instant now) {
        var spent = store.now().spent.getOrDefault(session.value(), Amounts.spent(0, 0, 0));
        var runs =
                store.now().runs.values().stream()
                        .map(HeldStore.HeldRun::run)
                        .filter(r -> r.session().equals(session))
                        .toList();
        long running = runs.stream().mapToLong(r -> running(r, now)).sum();
        return new Amounts(
                spent.tokens(),
                spent.costMicros(),
                spent.orZero(Kind.WALL_MILLIS) + running,
                (long) runs.size(),
                1L);
    }

    private long running(Run run, Instant now) {
        var started = run.marks().started();
        var session = store.sessions().find(run.session()).orElseThrow();
        var frozen = session.standing().frozen();
        return started == null || run.state() instanceof RunState.Ended
                ? 0
                : Duration.between(started, frozen == null ? now : frozen).toMillis();
    }

    @Override
    public Amounts used(Budget budget, Instant now) {
        return total(budget.session(), now);
    }

    @Override
    public Amounts total(SessionId session, Instant now) {
        var sum = new EnumMap<Kind, Long>(Kind.class);
        for (var held : store.now().sessions.values()) {
            if (!store.sessions().isWithin(held.session().id(), session)) continue;
            var own = own(held.session().id(), now);
            for (var kind : Kind.values()) sum.merge(kind, own.orZero(kind), Long::sum);
        }
        return new Amounts(
                counted(sum.getOrDefault(Kind.TOKENS, 0L)),
                counted(sum.getOrDefault(Kind.COST_MICROS, 0L)),
                sum.get(Kind.WALL_MILLIS),
                sum.get(Kind.RUNS),
                sum.get(Kind.SESSIONS));
    }
}
