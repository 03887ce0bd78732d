package dev.coppice.operations;

import dev.coppice.access.Need;
import dev.coppice.access.PeopleOnly;
import dev.coppice.access.PeopleOnly.What;
import dev.coppice.budget.Amounts;
import dev.coppice.budget.Amounts.Kind;
import dev.coppice.budget.Budget;
import dev.coppice.budget.Budgets;
import dev.coppice.budget.Spending;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.Operation.Commit;
import dev.coppice.run.Ports;
import dev.coppice.session.Session;
import dev.coppice.wire.Shape;
import dev.coppice.wire.budget.BudgetAmounts;
import dev.coppice.wire.budget.BudgetCalls;
import dev.coppice.wire.budget.BudgetCalls.AmountsView;
import dev.coppice.wire.budget.BudgetRequest;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/** Shows and sets budgets, and records what sessions spend. */
public record BudgetOperations(
        Scope scope, Ports ports, Budgets budgets, Spending spending, PeopleOnly peopleOnly) {
    private static final int CHILDREN_SHOWN_MAX = 100;
    private static final BigDecimal MICROS = BigDecimal.valueOf(1_000_000);

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(
                        BudgetCalls.READ,
                        Need.READ,
                        (x, in) -> scope.showing(x, in.sessionId(), this::view)),
                Operation.changing(
                        BudgetCalls.SET,
                        Need.ACT,
                        scope.transactions(),
                        (x, in) ->
                                scope.change(
                                        x,
                                        Need.ACT,
                                        in.sessionId(),
                                        s ->
                                                allowed(x, s)
                                                        .then(_ -> set(s, in.budget(), isPerson(x)))
                                                        .map(_ -> view(s)))),
                Operation.changing(
                        BudgetCalls.CHANGE,
                        Need.ACT,
                        scope.transactions(),
                        (x, in) -> change(x, in.sessionId(), read(in))),
                Operation.changing(
                        BudgetCalls.CLEAR,
                        Need.ACT,
                        scope.transactions(),
                        (x, in) -> change(x, in.sessionId(), NOTHING)),
                Operation.changing(
                        BudgetCalls.REPORT, Need.BIND, scope.transactions(), this::report));
    }

    private static boolean isPerson(Context x) {
        return x.caller().isPerson();
    }

    /** Refuses an agent's change of a budget that a person has set. */
    private Outcome<Session> allowed(Context x, Session session) {
        return isPerson(x) || !peopleOnly.isOn(session.id(), What.BUDGET)
                ? Outcome.done(session)
                : Outcome.refused(new SessionRefusal.PeopleOnly(session.id(), "the budget of"));
    }

    /** Joins the current transaction. */
    Outcome<Budget> set(Session session, BudgetRequest in, boolean isByPerson) {
        if (isByPerson) peopleOnly.add(session.id(), What.BUDGET);
        return spending.set(ports, session.id(), amounts(in.amounts()), in.policy());
    }

    private static final Spending.Change NOTHING =
            new Spending.Change(Amounts.NONE, EnumSet.allOf(Kind.class), null);

    private static Spending.Change read(BudgetCalls.Change in) {
        var lifted = EnumSet.noneOf(Kind.class);
        if (in.lift() != null) in.lift().forEach(kind -> lifted.add(KINDS.get(kind)));
        var policy = in.policy();
        return new Spending.Change(amounts(in.amounts()), lifted, policy);
    }

    private static final Map<BudgetCalls.Kind, Kind> KINDS =
            Map.of(
                    BudgetCalls.Kind.TOKENS, Kind.TOKENS,
                    BudgetCalls.Kind.COST_USD, Kind.COST_MICROS,
                    BudgetCalls.Kind.WALL, Kind.WALL_MILLIS,
                    BudgetCalls.Kind.RUNS, Kind.RUNS,
                    BudgetCalls.Kind.SESSIONS, Kind.SESSIONS);

    private Outcome<Commit<BudgetCalls.BudgetView>> change(
            Context x, String id, Spending.Change change) {
        return scope.change(x, Need.ACT, id, s -> allowed(x, s).then(_ -> changed(x, s, change)));
    }

    private Outcome<BudgetCalls.BudgetView> changed(Context x, Session s, Spending.Change change) {
        return spending.change(ports, s.id(), change)
                .map(max -> {
                    // A person who lifts the whole budget leaves it to agents again.
                    if (isPerson(x) && !max.equals(Amounts.NONE)) {
                        peopleOnly.add(s.id(), What.BUDGET);
                    } else if (isPerson(x)) {
                        peopleOnly.forget(s.id(), What.BUDGET);
                    }
                    return view(s);
                });
    }

    private static Amounts amounts(BudgetAmounts in) {
        var wall = in.wall();
        return new Amounts(
                in.tokens(),
                micros(in.costUsd()),
                wall == null ? null : Long.valueOf(wall.value().toMillis()),
                in.runs(),
                in.sessions());
    }

    private static @Nullable Long micros(@Nullable BigDecimal usd) {
        if (usd == null) return null;
        return usd.multiply(MICROS).setScale(0, RoundingMode.CEILING).longValue();
    }

    private Outcome<Commit<BudgetCalls.Spent>> report(Context x, BudgetCalls.Usage in) {
        long tokens = orZero(in.tokens()) + orZero(in.inputTokens()) + orZero(in.outputTokens());
        var spent = Amounts.spent(tokens, orZero(micros(in.costUsd())), 0);
        return scope.change(
                x,
                Need.BIND,
                in.sessionId(),
                s -> {
                    spending.spend(ports, s.id(), spent);
                    return Outcome.done(new BudgetCalls.Spent(true, s.id().value()));
                });
    }

    private static long orZero(@Nullable Long value) {
        return value == null ? 0 : value;
    }

    private BudgetCalls.BudgetView view(Session session) {
        var now = ports.clock().instant();
        var children =
                scope.sessions().children(session.id(), Cursor.first(CHILDREN_SHOWN_MAX)).items();
        return new BudgetCalls.BudgetView(
                session.id().value(),
                session.name(),
                budgets.budgetOf(session.id()).map(b -> Shape.word(b.policy())).orElse(null),
                view(budgets.own(session.id(), now)),
                view(budgets.total(session.id(), now)),
                limits(session, now),
                children.stream().map(child -> child(child, now)).toList());
    }

    private BudgetCalls.ChildView child(Session child, Instant now) {
        return new BudgetCalls.ChildView(
                child.id().value(),
                child.name(),
                view(budgets.own(child.id(), now)),
                view(budgets.total(child.id(), now)));
    }

    private List<BudgetCalls.LimitView> limits(Session session, Instant now) {
        var limits = new ArrayList<BudgetCalls.LimitView>();
        for (var budget : budgets.budgetsAbove(session.id())) {
            var total = budgets.total(budget.session(), now);
            for (var kind : Kind.values()) {
                var max = budget.max().of(kind);
                if (max != null) limits.add(limit(budget, kind, max, total.orZero(kind)));
            }
        }
        return limits;
    }

    private static BudgetCalls.LimitView limit(Budget budget, Kind kind, long max, long spent) {
        return new BudgetCalls.LimitView(
                Shape.word(kind),
                max,
                spent,
                Math.max(0, max - spent),
                Shape.word(budget.policy()),
                budget.session().value());
    }

    private static AmountsView view(Amounts spent) {
        return new AmountsView(
                spent.orZero(Kind.TOKENS),
                spent.orZero(Kind.COST_MICROS),
                spent.orZero(Kind.WALL_MILLIS),
                spent.orZero(Kind.RUNS),
                spent.orZero(Kind.SESSIONS));
    }
}
