package dev.coppice.operations.look;

import dev.coppice.access.Need;
import dev.coppice.health.Healths;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.operations.Given;
import dev.coppice.operations.Scope;
import dev.coppice.outline.Node;
import dev.coppice.outline.Nodes;
import dev.coppice.outline.Outline;
import dev.coppice.outline.OutlineShape;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.session.Session;
import dev.coppice.session.StateWord;
import dev.coppice.view.Headlines;
import dev.coppice.view.OutlineViews;
import dev.coppice.view.Questions;
import dev.coppice.wire.look.OutlineCalls;
import dev.coppice.wire.look.OutlineCalls.Next;
import dev.coppice.wire.look.OutlineCalls.Rows;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Shows trees as rows. */
public final class OutlineOperations {
    /** The outline of a larger tree lacks some of its sessions. */
    private static final int SESSIONS_MAX = 100_000;

    /** The number of rows above a revealed row. */
    private static final int ROWS_ABOVE = 10;

    private final Scope scope;
    private final Nodes nodes;
    private final Healths healths;
    private final Journal journal;

    public OutlineOperations(Scope scope, Nodes nodes, Healths healths, Journal journal) {
        this.scope = scope;
        this.nodes = nodes;
        this.healths = healths;
        this.journal = journal;
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(OutlineCalls.TREES, Need.READ, this::trees),
                Operation.of(
                        OutlineCalls.OUTLINE,
                        Need.READ,
                        (x, in) -> scope.showing(x, in.sessionId(), top -> rows(top, in))));
    }

    private Outcome<OutlineCalls.Trees> trees(Context x, OutlineCalls.Find in) {
        return scope.transactions()
                .read(() -> {
                    var own = x.session();
                    var page =
                            own == null
                                    ? nodes.trees(
                                            in.live() ? Nodes.Which.LIVE : Nodes.Which.ALL,
                                            Given.cursor(in.page()))
                                    : new Slice<>(nodes.tree(own).stream().toList(), null);
                    var views = views(own);
                    var rows = page.items().stream().map(views::row).toList();
                    return Outcome.done(new OutlineCalls.Trees(rows, page.next()));
                });
    }

    private OutlineViews views(@Nullable SessionId within) {
        var questions = Questions.open(healths, within);
        return new OutlineViews(this::session, new Headlines(healths), questions);
    }

    private OutlineViews noneAsks() {
        return new OutlineViews(this::session, new Headlines(healths), Map.of());
    }

    private @Nullable Session session(SessionId id) {
        return scope.sessions().find(id).orElse(null);
    }

    private Rows rows(Session top, OutlineCalls.Show in) {
        long number = journal.head();
        var found = nodes.below(top.id(), SESSIONS_MAX + 1);
        boolean isCut = found.size() > SESSIONS_MAX;
        var all = isCut ? found.subList(0, SESSIONS_MAX) : found;
        var shape = shape(in);
        var outline = new Outline(all, shape);
        var revealed = revealed(outline, in);
        var opened = revealed.map(outline::above).orElse(Set.of());
        if (!opened.isEmpty()) {
            outline = new Outline(all, Outline.opened(shape, opened));
        }
        var place = revealed.flatMap(outline::placeOf).orElse(null);
        int offset = place == null ? in.offset() : Math.max(0, place - ROWS_ABOVE);
        var lines = outline.lines();
        int from = Math.min(offset, lines.size());
        // Finding questions looks at every live session, so do it only if there are any.
        var views = outline.all().waiting() == 0 ? noneAsks() : views(top.id());
        return new Rows(
                from,
                lines.size(),
                revealed.map(SessionId::value).orElse(null),
                place,
                List.copyOf(opened),
                OutlineViews.tally(outline.all()),
                isCut,
                number,
                lines.subList(from, Math.min(lines.size(), from + in.limit())).stream()
                        .map(views::row)
                        .toList());
    }

    private static Optional<SessionId> revealed(Outline outline, OutlineCalls.Show in) {
        var from = Given.path(in.reveal() == null ? in.sessionId() : in.reveal());
        if (in.next() != null) return outline.next(wanted(in.next()), from);
        return in.reveal() == null ? Optional.empty() : Optional.of(from).filter(outline::has);
    }

    private static Predicate<Node> wanted(Next next) {
        return switch (next) {
            case FAILED -> Node::hasFailed;
            case ASKING -> Node::isAsking;
        };
    }

    private static OutlineShape shape(OutlineCalls.Show in) {
        for (var state : Given.set(in.states())) {
            if (!StateWord.ALL.contains(state) && !OutlineShape.ASKING.equals(state)) {
                var rule = OutlineShape.ASKING + " or one of " + String.join(", ", StateWord.ALL);
                throw Given.bad("states", state, rule);
            }
        }
        return new OutlineShape(
                in.levels(),
                few("opened", in.opened()),
                few("closed", in.closed()),
                in.text(),
                Given.set(in.states()));
    }

    private static Set<String> few(String field, @Nullable List<String> ids) {
        var given = Given.set(ids);
        if (given.size() > OutlineCalls.OPENED_MAX) {
            var rule = "at most %d ids; open levels instead".formatted(OutlineCalls.OPENED_MAX);
            throw Given.bad(field, given.size() + " ids", rule);
        }
        return given;
    }
}
