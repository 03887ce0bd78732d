package dev.coppice.operations.look;

import dev.coppice.access.Need;
import dev.coppice.budget.Amounts.Kind;
import dev.coppice.budget.Budgets;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Outcome;
import dev.coppice.operations.Scope;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.session.Session;
import dev.coppice.session.StateWord;
import dev.coppice.usage.ModelUses;
import dev.coppice.wire.look.CompareCalls;
import dev.coppice.wire.look.CompareCalls.Compared;
import dev.coppice.wire.look.CompareCalls.RowView;
import dev.coppice.wire.look.CompareCalls.SideView;
import dev.coppice.wire.look.CompareCalls.StepView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Compares two sessions, each with all below it. */
public record CompareOperations(
        Scope scope, Journal journal, Budgets budgets, ModelUses uses, InstantSource clock) {
    private static final int EVENTS_MAX = 50_000;
    private static final int ROWS_BEFORE = 5;
    private static final int ROWS_MAX = 60;

    public List<Operation<?, ?>> all() {
        return List.of(Operation.of(CompareCalls.COMPARE, Need.READ, this::compare));
    }

    private Outcome<Compared> compare(Context x, CompareCalls.With in) {
        return read(x, in.sessionId(), in.alone())
                .then(a -> read(x, in.with(), in.alone()).map(b -> compared(a, b)));
    }

    /** A session and its steps. */
    private record Side(SideView view, List<StepView> steps) {}

    private Outcome<Side> read(Context x, String id, boolean alone) {
        return scope.lookedUp(x, Need.READ, id).map(session -> side(session, alone));
    }

    /** Reads in parts: a large tree must not keep a transaction open. */
    private Side side(Session session, boolean alone) {
        var story = new Story();
        var within = alone ? Journal.Scope.of(session.id()) : new Journal.Scope(null, session.id());
        long at = 0;
        int count = 0;
        while (count < EVENTS_MAX) {
            long from = at;
            var some =
                    scope.transactions()
                            .read(() -> journal.after(from, within, Bounds.PAGE_ITEMS_MAX));
            if (some.isEmpty()) break;
            some.forEach(story::read);
            at = some.getLast().number();
            count += some.size();
        }
        boolean isCut = count >= EVENTS_MAX;
        return new Side(view(session, alone, story, isCut), story.steps());
    }

    private SideView view(Session session, boolean alone, Story story, boolean isCut) {
        var now = clock.instant();
        return scope.transactions()
                .read(() -> {
                    var id = session.id();
                    var spent = alone ? budgets.own(id, now) : budgets.total(id, now);
                    var models = alone ? uses.own(id) : uses.all(id);
                    return new SideView(
                            id.value(),
                            session.name(),
                            StateWord.of(session.state()),
                            session.state().why(),
                            text(session.times().started()),
                            text(session.times().ended()),
                            duration(session, now).toMillis(),
                            spent.orZero(Kind.SESSIONS),
                            spent.orZero(Kind.RUNS),
                            story.steps().size(),
                            isCut,
                            spent.orZero(Kind.TOKENS),
                            spent.orZero(Kind.COST_MICROS),
                            models.stream().map(UsageOperations::view).toList(),
                            story.files(),
                            story.commits());
                });
    }

    private static Duration duration(Session session, Instant now) {
        var from = session.times().started();
        var ended = session.times().ended();
        if (from == null) return Duration.ZERO;
        return Duration.between(from, ended == null ? now : ended);
    }

    private static @Nullable String text(@Nullable Instant time) {
        return time == null ? null : time.toString();
    }

    private static Compared compared(Side a, Side b) {
        int common = 0;
        int shorter = Math.min(a.steps().size(), b.steps().size());
        while (common < shorter && isSame(a.steps().get(common), b.steps().get(common))) common++;
        int longer = Math.max(a.steps().size(), b.steps().size());
        var rows = new ArrayList<RowView>();
        int from = Math.max(0, common - ROWS_BEFORE);
        for (int i = from; i < Math.min(longer, from + ROWS_MAX); i++) {
            var one = step(a, i);
            var other = step(b, i);
            boolean isSame = one != null && other != null && isSame(one, other);
            rows.add(new RowView(i + 1, isSame, one, other));
        }
        return new Compared(a.view(), b.view(), common, common == longer, List.copyOf(rows));
    }

    private static @Nullable StepView step(Side side, int at) {
        return at < side.steps().size() ? side.steps().get(at) : null;
    }

    private static boolean isSame(StepView one, StepView other) {
        return one.agent().equals(other.agent())
                && one.kind().equals(other.kind())
                && one.text().equals(other.text());
    }
}
