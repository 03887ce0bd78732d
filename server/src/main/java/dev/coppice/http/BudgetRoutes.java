package dev.coppice.http;

import dev.coppice.access.Need;
import dev.coppice.budget.Amounts;
import dev.coppice.budget.Amounts.Kind;
import dev.coppice.budget.Book;
import dev.coppice.budget.Budget;
import dev.coppice.budget.Spending;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Outcome;
import dev.coppice.run.Desk;
import dev.coppice.session.Session;
import dev.coppice.view.Lengths;
import dev.coppice.view.Views;
import dev.coppice.web.Exchange;
import dev.coppice.web.Method;
import dev.coppice.web.Once;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.BudgetRequest;
import dev.coppice.wire.Json;
import dev.coppice.wire.UsageRequest;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;

/** What sessions spend, and what they may. */
public final class BudgetRoutes {
    private static final int CHILDREN_SHOWN_MAX = 100;
    private static final BigDecimal MICROS = BigDecimal.valueOf(1_000_000);

    /** More than anything has ever cost, and far from where numbers end. */
    private static final long AMOUNT_MAX = 1_000_000_000_000_000L;

    private final Room room;
    private final Desk desk;
    private final Book book;
    private final Spending spending;
    private final Once once;

    public BudgetRoutes(Room room, Desk desk, Book book, Spending spending, Once once) {
        this.room = room;
        this.desk = desk;
        this.book = book;
        this.spending = spending;
        this.once = once;
    }

    public List<Route> routes() {
        return List.of(
                Route.get(
                        "/sessions/{id}/budget",
                        Need.READ,
                        "What the session and all below it may spend and have spent",
                        this::read),
                Route.of(
                                Method.PUT,
                                "/sessions/{id}/budget",
                                Need.ACT,
                                "Set what the session and all below it may spend",
                                this::set)
                        .takes(BudgetRequest.class),
                Route.post(
                                "/sessions/{id}/usage",
                                Need.REPORT,
                                "Tell what the session has spent",
                                this::spend)
                        .takes(UsageRequest.class));
    }

    private Reply read(Exchange x) {
        return room.reading(x, s -> Reply.ok(shown(s)));
    }

    private Reply set(Exchange x) {
        return room.writing(
                x,
                Need.ACT,
                s -> x.reply(set(s, x.body(BudgetRequest.class)), _ -> Reply.ok(shown(s))));
    }

    /** Acts within the transaction under way. */
    Outcome<Budget> set(Session session, BudgetRequest body) {
        var asked = Room.ASKED.word("policy", body.policy(), Budget.Policy.class);
        var policy = asked == null ? Budget.Policy.REFUSE : asked;
        return spending.set(desk, session.id(), amounts(body), policy);
    }

    private static Amounts amounts(BudgetRequest body) {
        var wall = body.wall() == null ? null : Lengths.read(body.wall());
        if (body.wall() != null && wall == null) {
            throw Room.ASKED.bad("wall", body.wall(), Lengths.RULE);
        }
        return new Amounts(
                checked("tokens", body.tokens()),
                micros(body.costUsd()),
                wall == null ? null : Long.valueOf(wall.toMillis()),
                checked("runs", body.runs()),
                checked("sessions", body.sessions()));
    }

    private static @Nullable Long checked(String field, @Nullable Long value) {
        if (value != null && (value < 0 || value > AMOUNT_MAX)) {
            throw Room.ASKED.bad(field, value.toString(), "from 0 to " + AMOUNT_MAX);
        }
        return value;
    }

    private static @Nullable Long micros(@Nullable BigDecimal usd) {
        if (usd == null) return null;
        var micros = usd.multiply(MICROS).setScale(0, RoundingMode.CEILING);
        if (micros.signum() < 0 || micros.compareTo(BigDecimal.valueOf(AMOUNT_MAX)) > 0) {
            throw Room.ASKED.bad("cost_usd", usd.toString(), "zero or more, in dollars");
        }
        return micros.longValue();
    }

    private Reply spend(Exchange x) {
        return once.perform(x, () -> room.writing(x, Need.REPORT, s -> spent(x, s)));
    }

    private Reply spent(Exchange x, Session session) {
        var body = x.body(UsageRequest.class);
        long tokens =
                orZero(checked("tokens", body.tokens()))
                        + orZero(checked("input_tokens", body.inputTokens()))
                        + orZero(checked("output_tokens", body.outputTokens()));
        var spent = Amounts.spent(tokens, orZero(micros(body.costUsd())), 0);
        spending.spend(desk, session.id(), spent);
        return Reply.ok(Json.object().put("ok", true).put("session_id", session.id().value()));
    }

    private static long orZero(@Nullable Long value) {
        return value == null ? 0 : value;
    }

    private ObjectNode shown(Session session) {
        var now = desk.clock().instant();
        var own = book.budgetOf(session.id());
        var body =
                Json.object()
                        .put("session_id", session.id().value())
                        .put("session_name", session.name())
                        .put("policy", own.map(b -> Views.word(b.policy())).orElse(null));
        body.set("own", spent(book.own(session.id(), now)));
        body.set("spent", spent(book.total(session.id(), now)));
        var limits = body.putArray("limits");
        for (var budget : book.budgetsAbove(session.id())) {
            var total = book.total(budget.session(), now);
            for (var kind : Kind.values()) {
                var max = budget.max().of(kind);
                if (max != null) limits.add(limit(budget, kind, max, total.orZero(kind)));
            }
        }
        var children = body.putArray("children");
        var cursor = Cursor.first(CHILDREN_SHOWN_MAX);
        for (var child : room.sessions().children(session.id(), cursor).items()) {
            var row =
                    Json.object()
                            .put("session_id", child.id().value())
                            .put("session_name", child.name());
            row.set("own", spent(book.own(child.id(), now)));
            row.set("spent", spent(book.total(child.id(), now)));
            children.add(row);
        }
        return body;
    }

    private static ObjectNode spent(Amounts spent) {
        var row = Json.object();
        for (var kind : Kind.values()) {
            row.put(kind.name().toLowerCase(Locale.ROOT), spent.orZero(kind));
        }
        return row;
    }

    private static ObjectNode limit(Budget budget, Kind kind, long max, long spent) {
        return Json.object()
                .put("kind", kind.name().toLowerCase(Locale.ROOT))
                .put("max", max)
                .put("spent", spent)
                .put("left", Math.max(0, max - spent))
                .put("policy", Views.word(budget.policy()))
                .put("set_by", budget.session().value());
    }
}
