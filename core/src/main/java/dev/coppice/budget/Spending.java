package dev.coppice.budget;

import dev.coppice.budget.Amounts.Kind;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.Aftermath;
import dev.coppice.run.Desk;
import dev.coppice.run.Purse;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.session.Session;
import dev.coppice.stop.FreezeTree;
import dev.coppice.stop.StopTree;
import dev.coppice.stop.TreeStop;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Records spending, reports budgets that are nearly or fully spent, and applies their policies. New
 * work is refused before it starts.
 */
public final class Spending implements Purse, Aftermath {
    private static final int BUDGETS_PER_SWEEP_MAX = 100;
    private static final int NEARLY_PERCENT = 80;
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private final Book book;
    private final StopTree stopTree;

    public Spending(Book book, StopTree stopTree) {
        this.book = book;
        this.stopTree = stopTree;
    }

    @Override
    public Optional<Refusal> forbids(Desk desk, SessionId at, New wanted) {
        var now = desk.clock().instant();
        for (var budget : book.budgetsAbove(at)) {
            var spent = book.total(budget.session(), now);
            for (var kind : Kind.values()) {
                var max = budget.max().of(kind);
                long more = more(kind, wanted);
                if (max == null || !recordOutput(kind, spent.orZero(kind), more, max)) continue;
                return Optional.of(
                        new RequestRefusal.BudgetSpent(
                                word(kind), max, spent.orZero(kind), budget.session()));
            }
        }
        return Optional.empty();
    }

    /** Counted kinds must have room for one more; metered kinds must not be spent yet. */
    private static boolean recordOutput(Kind kind, long spent, long more, long max) {
        return switch (kind) {
            case RUNS, SESSIONS -> more > 0 && spent + more > max;
            case TOKENS, COST_MICROS, WALL_MILLIS -> spent >= max;
        };
    }

    private static long more(Kind kind, New wanted) {
        return switch (kind) {
            case RUNS -> 1;
            case SESSIONS -> wanted == New.SESSION ? 1 : 0;
            case TOKENS, COST_MICROS, WALL_MILLIS -> 0;
        };
    }

    static String word(Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public boolean isSpent(Desk desk, SessionId session) {
        return book.budgetsAbove(session).stream()
                .anyMatch(b -> b.isSpent() && isSpentNow(desk, b));
    }

    /** Checks metered kinds only: a queued run was already counted when it was requested. */
    private boolean isSpentNow(Desk desk, Budget budget) {
        var spent = book.total(budget.session(), desk.clock().instant());
        return percent(budget, spent, Kind.TOKENS) >= 100
                || percent(budget, spent, Kind.COST_MICROS) >= 100
                || percent(budget, spent, Kind.WALL_MILLIS) >= 100;
    }

    /** Sets a session's budget, within what the budgets of its ancestors have left. */
    public Outcome<Budget> set(Desk desk, SessionId id, Amounts max, Budget.Policy policy) {
        return desk.transactions()
                .write(() -> {
                    var now = desk.clock().instant();
                    var clamped = max;
                    for (var above : book.budgetsAbove(id)) {
                        if (above.session().equals(id)) continue;
                        var left = above.max().minus(book.total(above.session(), now));
                        // The ancestor's total includes what this session has spent.
                        clamped = clamped.clampedTo(left.plus(book.total(id, now)));
                    }
                    var budget = new Budget(id, clamped, policy, Map.of());
                    book.save(budget);
                    check(desk, budget);
                    return Outcome.done(book.budgetOf(id).orElse(budget));
                });
    }

    /**
     * Gives a session that is about to be detached what its ancestors' budgets have left as a
     * budget of its own: the removal of a parent must not let a child spend more.
     */
    public void keepInherited(SessionId id, Instant now) {
        var own = book.budgetOf(id);
        var max = own.map(Budget::max).orElse(Amounts.NONE);
        var policy = own.map(Budget::policy);
        for (var above : book.budgetsAbove(id)) {
            if (above.session().equals(id)) continue;
            var left = above.max().minus(book.total(above.session(), now));
            max = max.narrowedTo(left.plus(book.total(id, now)));
            if (policy.isEmpty()) policy = Optional.of(above.policy());
        }
        if (policy.isPresent()) book.save(new Budget(id, max, policy.get(), Map.of()));
    }

    public @Nullable Budget own(SessionId id) {
        return book.budgetOf(id).orElse(null);
    }

    /** Undoes {@code keepInherited}, unless the session's budget was changed since. */
    public void giveBack(SessionId id, @Nullable Budget before, @Nullable Budget given) {
        var now = own(id);
        if (given == null || now == null) return;
        boolean same = now.max().equals(given.max()) && now.policy() == given.policy();
        if (!same) return;
        if (before == null) book.remove(id);
        else book.save(new Budget(id, before.max(), before.policy(), before.told()));
    }

    /** Joins the current transaction. The caller has already checked access to the session. */
    public void spend(Desk desk, SessionId session, Amounts spent) {
        book.add(session, spent);
        for (var budget : book.budgetsAbove(session)) check(desk, budget);
    }

    /** Reports each kind once as nearly spent and once as spent, and then applies the policy. */
    private void check(Desk desk, Budget budget) {
        var spent = book.total(budget.session(), desk.clock().instant());
        var now = budget;
        for (var kind : Kind.values()) {
            var level = level(kind, percent(budget, spent, kind));
            if (level.compareTo(budget.warned(kind)) <= 0) continue;
            now = now.warned(kind, level);
            book.save(now);
            tell(desk, now, kind, spent, level);
        }
        for (var kind : Kind.values()) {
            boolean newly = now.warned(kind) != budget.warned(kind);
            if (newly && now.warned(kind) == Budget.Warned.SPENT) act(desk, now, kind);
        }
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

    private void tell(Desk desk, Budget budget, Kind kind, Amounts spent, Budget.Warned warned) {
        var max = budget.max().orZero(kind);
        var what = warned == Budget.Warned.SPENT ? "spent" : "nearly_spent";
        var fact = new Fact.BudgetUsed(what, word(kind), spent.orZero(kind), max);
        desk.journal().append(budget.session(), null, fact, desk.clock().instant());
    }

    private void act(Desk desk, Budget budget, Kind kind) {
        switch (budget.policy()) {
            case REFUSE -> {}
            case FREEZE -> new FreezeTree(desk).freeze(budget.session());
            case STOP ->
                    stopTree.stop(
                            desk,
                            budget.session(),
                            new TreeStop.Order(
                                    DEADLINE, "its budget of " + word(kind) + " is spent"));
        }
    }

    /** Checks time budgets, which run out without any report; returns how many changed level. */
    public int timeRunsOut(Desk desk) {
        return desk.transactions()
                .write(() -> {
                    int told = 0;
                    for (var budget : book.runningOut(BUDGETS_PER_SWEEP_MAX)) {
                        check(desk, budget);
                        var after = book.budgetOf(budget.session());
                        if (after.isPresent() && !after.get().told().equals(budget.told())) told++;
                    }
                    return told;
                });
    }

    @Override
    public void runEnded(Desk desk, Run run) {
        var started = run.marks().started();
        if (started == null || !(run.state() instanceof RunState.Ended end)) return;
        var frozen = desk.sessions().find(run.session()).map(s -> s.standing().frozen());
        // A run that ends while frozen has spent time only until the freeze.
        var until = frozen.filter(f -> f.isBefore(end.since())).orElse(end.since());
        long millis = Duration.between(started, until).toMillis();
        if (millis > 0) spend(desk, run.session(), Amounts.spent(0, 0, millis));
    }

    /** Subtracts the frozen time, which the time since the start of the run includes. */
    @Override
    public void sessionThawed(Desk desk, Session session, Duration lost) {
        // A spent budget is reported, and applied, again when more is spent after the thaw.
        book.budgetOf(session.id())
                .filter(Budget::isSpent)
                .ifPresent(b -> book.save(b.lessWarned()));
        var live = desk.runs().liveOf(session.id());
        if (live.isEmpty() || live.get().marks().started() == null) return;
        book.add(session.id(), Amounts.spent(0, 0, -lost.toMillis()));
    }

    @Override
    public void stopAsked(Desk desk, Session session) {}

    @Override
    public void sessionEnded(Desk desk, Session session) {}
}
