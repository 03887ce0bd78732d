package dev.coppice.budget;

import dev.coppice.budget.Amounts.Kind;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.Ports;
import dev.coppice.run.Ports.BudgetCheck;
import dev.coppice.run.Ports.LifecycleListener;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.session.Session;
import dev.coppice.stop.FreezeTree;
import dev.coppice.stop.StopTree;
import dev.coppice.stop.TreeStop;
import dev.coppice.word.BudgetPolicy;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Records spending, reports budgets that are nearly or fully spent, and applies their policies. New
 * work is refused before it starts.
 */
public final class Spending implements BudgetCheck, LifecycleListener {
    private static final int BUDGETS_PER_SWEEP_MAX = 100;
    private static final int NEARLY_PERCENT = 80;
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private final Budgets budgets;
    private final StopTree stopTree;

    public Spending(Budgets budgets, StopTree stopTree) {
        this.budgets = budgets;
        this.stopTree = stopTree;
    }

    @Override
    public Optional<Refusal> forbids(Ports ports, SessionId at, NewWork wanted) {
        var now = ports.clock().instant();
        for (var budget : budgets.budgetsAbove(at)) {
            var spent = budgets.used(budget, now);
            for (var kind : Kind.values()) {
                var max = budget.max().of(kind);
                long more = more(kind, wanted);
                if (max == null || !isExceeded(kind, spent.orZero(kind), more, max)) continue;
                return Optional.of(
                        new RequestRefusal.BudgetSpent(
                                word(kind), max, spent.orZero(kind), budget.session()));
            }
        }
        return Optional.empty();
    }

    /** Counted kinds must have room for one more; metered kinds must not be spent yet. */
    private static boolean isExceeded(Kind kind, long spent, long more, long max) {
        return switch (kind) {
            case RUNS, SESSIONS -> more > 0 && spent + more > max;
            case TOKENS, COST_MICROS, WALL_MILLIS -> spent >= max;
        };
    }

    private static long more(Kind kind, NewWork wanted) {
        return switch (kind) {
            case RUNS -> wanted == NewWork.SESSION || wanted == NewWork.RUN ? 1 : 0;
            case SESSIONS -> wanted == NewWork.SESSION || wanted == NewWork.SUBAGENT ? 1 : 0;
            case TOKENS, COST_MICROS, WALL_MILLIS -> 0;
        };
    }

    static String word(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Optional<SessionId> spentAbove(Ports ports, SessionId session) {
        return budgets.budgetsAbove(session).stream()
                .filter(b -> b.isSpent() && isSpentNow(ports, b))
                .findFirst()
                .map(Budget::session);
    }

    /** Checks metered kinds only: a queued run was already counted when it was requested. */
    private boolean isSpentNow(Ports ports, Budget budget) {
        var spent = budgets.used(budget, ports.clock().instant());
        return percent(budget, spent, Kind.TOKENS) >= 100
                || percent(budget, spent, Kind.COST_MICROS) >= 100
                || percent(budget, spent, Kind.WALL_MILLIS) >= 100;
    }

    /** Sets a session's budget, within what the budgets of its ancestors have left. */
    public Outcome<Budget> set(Ports ports, SessionId id, Amounts max, BudgetPolicy policy) {
        return ports.transactions()
                .write(() -> {
                    var within = clamped(id, max, ports.clock().instant());
                    return Outcome.done(saved(ports, new Budget(id, within, policy, Map.of())));
                });
    }

    private Amounts clamped(SessionId id, Amounts max, Instant now) {
        var clamped = max;
        for (var above : budgets.budgetsAbove(id)) {
            if (above.session().equals(id)) continue;
            var left = above.max().minus(budgets.total(above.session(), now));
            // The ancestor's total includes what this session has spent.
            clamped = clamped.clampedTo(left.plus(budgets.total(id, now)));
        }
        return clamped;
    }

    private Budget saved(Ports ports, Budget budget) {
        budgets.save(budget);
        ports.runs().takeBack(budget.session());
        check(ports, budget);
        return budgets.budgetOf(budget.session()).orElse(budget);
    }

    /** A change of a budget: amounts to set, amounts to lift, and the policy if it changes. */
    public record Change(Amounts set, Set<Kind> lifted, @Nullable BudgetPolicy policy) {}

    /** Changes what is named, and keeps the rest. A budget without any amount is removed. */
    public Outcome<Amounts> change(Ports ports, SessionId id, Change change) {
        return ports.transactions()
                .write(() -> {
                    var before = budgets.budgetOf(id);
                    var present = before.map(Budget::max).orElse(Amounts.NONE);
                    var set = clamped(id, change.set(), ports.clock().instant());
                    var max = set.over(present.without(change.lifted()));
                    if (max.equals(Amounts.NONE) && change.policy() != null) {
                        var word = change.policy().name().toLowerCase(Locale.ROOT);
                        var rule = "a policy of a budget with an amount";
                        return Outcome.refused(new RequestRefusal.BadValue("policy", word, rule));
                    }
                    if (max.equals(Amounts.NONE)) {
                        budgets.remove(id);
                        ports.runs().takeBack(id);
                        return Outcome.done(max);
                    }
                    var same = before.map(Budget::policy).orElse(BudgetPolicy.REFUSE);
                    var policy = change.policy() == null ? same : change.policy();
                    var budget = new Budget(id, max, policy, Map.of());
                    return Outcome.done(saved(ports, budget).max());
                });
    }

    /**
     * Gives a session that is about to be detached what its ancestors' budgets have left as a
     * budget of its own: the removal of a parent must not let a child spend more.
     */
    public void keepInherited(SessionId id, Instant now) {
        var own = budgets.budgetOf(id);
        var max = own.map(Budget::max).orElse(Amounts.NONE);
        var policy = own.map(Budget::policy);
        for (var above : budgets.budgetsAbove(id)) {
            if (above.session().equals(id)) continue;
            var left = above.max().minus(budgets.total(above.session(), now));
            max = max.narrowedTo(left.plus(budgets.total(id, now)));
            if (policy.isEmpty()) policy = Optional.of(above.policy());
        }
        if (policy.isPresent()) budgets.save(new Budget(id, max, policy.get(), Map.of()));
    }

    public @Nullable Budget own(SessionId id) {
        return budgets.budgetOf(id).orElse(null);
    }

    /** Undoes {@code keepInherited}, unless the session's budget was changed since. */
    public void giveBack(SessionId id, @Nullable Budget before, @Nullable Budget given) {
        var now = own(id);
        if (given == null || now == null) return;
        boolean same = now.max().equals(given.max()) && now.policy() == given.policy();
        if (!same) return;
        if (before == null) budgets.remove(id);
        else budgets.save(new Budget(id, before.max(), before.policy(), before.told()));
    }

    /** Joins the current transaction. The caller has already checked access to the session. */
    public void spend(Ports ports, SessionId session, Amounts spent) {
        budgets.add(session, spent);
        for (var budget : budgets.budgetsAbove(session)) {
            // A correction may free part of a spent budget.
            if (isLess(spent) && budget.isSpent()) ports.runs().takeBack(budget.session());
            check(ports, budget);
        }
    }

    private static boolean isLess(Amounts spent) {
        return Stream.of(Kind.values()).anyMatch(kind -> spent.orZero(kind) < 0);
    }

    /** Reports each kind once as nearly spent and once as spent, and then applies the policy. */
    private void check(Ports ports, Budget budget) {
        var spent = budgets.used(uncounted(budget), ports.clock().instant());
        var now = budget;
        for (var kind : Kind.values()) {
            var level = level(kind, percent(budget, spent, kind));
            if (level.compareTo(budget.warned(kind)) <= 0) continue;
            now = now.warned(kind, level);
            budgets.save(now);
            tell(ports, now, kind, spent, level);
        }
        for (var kind : Kind.values()) {
            boolean newly = now.warned(kind) != budget.warned(kind);
            if (newly && now.warned(kind) == Budget.Warned.SPENT) act(ports, now, kind);
        }
    }

    /** Counting reads each run of the tree, so kinds that were reported are not counted again. */
    private static Budget uncounted(Budget budget) {
        var told = EnumSet.of(Kind.RUNS, Kind.SESSIONS);
        told.removeIf(kind -> budget.warned(kind) == Budget.Warned.NO);
        var left = budget.max().without(told);
        return new Budget(budget.session(), left, budget.policy(), budget.told());
    }

    /** Counted kinds are never SPENT: only new runs and sessions are refused, old ones go on. */
    private static Budget.Warned level(Kind kind, long percent) {
        boolean metered = kind != Kind.RUNS && kind != Kind.SESSIONS;
        if (metered && percent >= 100) return Budget.Warned.SPENT;
        return percent >= NEARLY_PERCENT ? Budget.Warned.NEARLY : Budget.Warned.NO;
    }

    private static long percent(Budget budget, Amounts spent, Kind kind) {
        var max = budget.max().of(kind);
        if (max == null) return 0;
        return max == 0 ? 100 : spent.orZero(kind) * 100 / max;
    }

    private void tell(Ports ports, Budget budget, Kind kind, Amounts spent, Budget.Warned warned) {
        var max = budget.max().orZero(kind);
        var what = warned == Budget.Warned.SPENT ? "spent" : "nearly_spent";
        var fact = new Fact.BudgetUsed(what, word(kind), spent.orZero(kind), max);
        ports.journal().append(budget.session(), null, fact, ports.clock().instant());
    }

    private void act(Ports ports, Budget budget, Kind kind) {
        switch (budget.policy()) {
            case REFUSE -> {}
            case FREEZE -> new FreezeTree(ports).freeze(budget.session());
            case STOP ->
                    stopTree.stop(
                            ports,
                            budget.session(),
                            new TreeStop.Order(
                                    DEADLINE, "its budget of " + word(kind) + " is spent"));
        }
    }

    /** Checks time budgets, which run out without any report; returns how many changed level. */
    public int endOutOfTime(Ports ports) {
        return ports.transactions()
                .write(() -> {
                    int told = 0;
                    for (var budget : budgets.runningOut(BUDGETS_PER_SWEEP_MAX)) {
                        check(ports, budget);
                        var after = budgets.budgetOf(budget.session());
                        if (after.isPresent() && !after.get().told().equals(budget.told())) told++;
                    }
                    return told;
                });
    }

    @Override
    public void runEnded(Ports ports, Run run) {
        var started = run.marks().started();
        if (started == null || !(run.state() instanceof RunState.Ended end)) return;
        var frozen = ports.sessions().find(run.session()).map(s -> s.standing().frozen());
        // A run that ends while frozen has spent time only until the freeze.
        var until = frozen.filter(f -> f.isBefore(end.since())).orElse(end.since());
        long millis = Duration.between(started, until).toMillis();
        if (millis > 0) spend(ports, run.session(), Amounts.spent(0, 0, millis));
    }

    /** Subtracts the frozen time, which the time since the start of the run includes. */
    @Override
    public void sessionThawed(Ports ports, Session session, Duration lost) {
        // A spent budget is reported, and applied, again when more is spent after the thaw.
        budgets.budgetOf(session.id())
                .filter(Budget::isSpent)
                .ifPresent(b -> {
                    budgets.save(b.lessWarned());
                    ports.runs().takeBack(b.session());
                });
        var live = ports.runs().liveOf(session.id());
        if (live.isEmpty() || live.get().marks().started() == null) return;
        budgets.add(session.id(), Amounts.spent(0, 0, -lost.toMillis()));
    }

    @Override
    public void stopAsked(Ports ports, Session session) {}

    @Override
    public void sessionEnded(Ports ports, Session session) {}
}
