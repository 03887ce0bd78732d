package dev.coppice.operations;

import dev.coppice.access.Need;
import dev.coppice.budget.Amounts;
import dev.coppice.budget.Amounts.Kind;
import dev.coppice.budget.Budget;
import dev.coppice.budget.Budgets;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.removal.TreeRows;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.Operation.Commit;
import dev.coppice.run.Run;
import dev.coppice.run.RunFilter;
import dev.coppice.run.Runs;
import dev.coppice.session.ParentReference;
import dev.coppice.session.Session;
import dev.coppice.session.StartSession;
import dev.coppice.session.StateWord;
import dev.coppice.view.Views;
import dev.coppice.wire.Length;
import dev.coppice.wire.Patience;
import dev.coppice.wire.budget.BudgetAmounts;
import dev.coppice.wire.budget.BudgetRequest;
import dev.coppice.wire.run.RunAnswer;
import dev.coppice.wire.run.RunCalls;
import dev.coppice.wire.run.StartRunRequest;
import dev.coppice.wire.run.StartedView;
import dev.coppice.word.RunType;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/** Starts sessions again that have ended, each as the continuation of the former one. */
public record RetryOperations(
        Scope scope,
        Runs runs,
        Budgets budgets,
        TreeRows rows,
        StartSession names,
        StartOperations starts,
        InstantSource clock) {
    /** Runs have results, which may be large. */
    private static final int RUNS_AT_ONCE = 10;

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.changing(
                        RunCalls.RETRY, Need.SPAWN, scope.transactions(), this::prepared));
    }

    private Outcome<Commit<RunAnswer>> prepared(Context x, RunCalls.Retry in) {
        // An agent may retry only below itself; others may if they may start.
        var need = x.caller().isAgent() ? Need.ACT : Need.SPAWN;
        return scope.transactions()
                .read(() ->
                        scope.session(x, need, in.sessionId())
                                .then(session -> request(session, in.sessionName())))
                .then(request ->
                        starts.startSession(x, request, parent(request))
                                .map(commit -> () -> again(x, in, request, commit)));
    }

    private Outcome<RunAnswer> again(
            Context x, RunCalls.Retry in, StartRunRequest request, Commit<RunAnswer> start) {
        scope.seen(x, new SessionId(in.sessionId())).ifPresent(names::freeNames);
        // A former try may have the name since.
        var holder = request.sessionName();
        if (holder != null) scope.named(x, holder).ifPresent(names::freeNames);
        return start.now().map(begun -> continued(in, begun));
    }

    private static ParentReference parent(StartRunRequest request) {
        var parent = request.parentSessionId();
        return parent == null ? ParentReference.NONE : ParentReference.of(new SessionId(parent));
    }

    private RunAnswer continued(RunCalls.Retry in, RunAnswer begun) {
        if (begun instanceof StartedView started) {
            rows.continues(
                    new SessionId(in.sessionId()),
                    new SessionId(started.sessionId()),
                    clock.instant());
        }
        return begun;
    }

    /** The request with which the session was started, as far as it holds for another one. */
    private Outcome<StartRunRequest> request(Session session, @Nullable String name) {
        if (session.state().isAlive()) {
            return Outcome.refused(
                    new SessionRefusal.StateForbids(
                            "Session '%s'".formatted(session.name()),
                            StateWord.of(session.state()),
                            "a retry; stop it first"));
        }
        var first = first(session);
        var profile = session.profile();
        var parent = session.place().parentId();
        return Outcome.done(
                new StartRunRequest(
                        RunType.START_SESSION,
                        null,
                        Views.json(first.task().parameters()),
                        null,
                        name == null ? name(session) : name,
                        session.type(),
                        first.task().blueprint(),
                        profile.projectDir(),
                        profile.sourceApp(),
                        parent == null ? null : parent.value(),
                        null,
                        first.mode(),
                        Views.demands(first.demands()),
                        Views.json(first.task().scope()),
                        Views.json(profile.metadata()),
                        Views.limits(session.limits()),
                        session.standing().onParentEnd(),
                        budget(session),
                        null,
                        false,
                        Patience.NONE));
    }

    /** The run that started the session, which has its prompt. */
    private Run first(Session session) {
        var filter = new RunFilter(Set.of(), session.id(), null);
        var cursor = Cursor.first(RUNS_AT_ONCE);
        while (true) {
            var page = runs.list(filter, cursor);
            if (page.next() == null) {
                var oldest = page.items().isEmpty() ? null : page.items().getLast();
                if (oldest != null && oldest.type() == RunType.START_SESSION) return oldest;
                throw Given.bad(
                        "session_id",
                        session.id().value(),
                        "a session that Coppice started: this one has no prompt to start again");
            }
            cursor = new Cursor(page.next(), RUNS_AT_ONCE);
        }
    }

    /** The name that the session had before another one took it. */
    private static String name(Session session) {
        int mark = session.name().indexOf('~');
        return mark < 0 ? session.name() : session.name().substring(0, mark);
    }

    /** The same budget, and no more than is left above. */
    private @Nullable BudgetRequest budget(Session session) {
        var own = budgets.budgetOf(session.id()).orElse(null);
        if (own == null) return null;
        var wall = clamped(session, own, Kind.WALL_MILLIS);
        var cost = clamped(session, own, Kind.COST_MICROS);
        var amounts =
                new BudgetAmounts(
                        clamped(session, own, Kind.TOKENS),
                        cost == null ? null : BigDecimal.valueOf(cost, 6),
                        wall == null ? null : new Length(Duration.ofMillis(wall)),
                        clamped(session, own, Kind.RUNS),
                        clamped(session, own, Kind.SESSIONS));
        return new BudgetRequest(amounts, own.policy());
    }

    private @Nullable Long clamped(Session session, Budget own, Kind kind) {
        var max = own.max().of(kind);
        if (max == null) return null;
        long least = max;
        var now = clock.instant();
        for (var above : budgets.budgetsAbove(session.id())) {
            var limit = above.max().of(kind);
            if (limit == null || above.session().equals(session.id())) continue;
            Amounts spent = budgets.total(above.session(), now);
            least = Math.min(least, Math.max(0, limit - spent.orZero(kind)));
        }
        return least;
    }
}
