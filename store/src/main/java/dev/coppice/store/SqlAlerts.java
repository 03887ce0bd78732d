package dev.coppice.store;

import dev.coppice.alert.Alert;
import dev.coppice.alert.Alert.Delivery;
import dev.coppice.alert.Alerts;
import dev.coppice.health.OpenQuestion;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.store.engine.Keyset;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.schema.Tables;
import dev.coppice.word.AlertKind;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Stores alerts. */
public final class SqlAlerts implements Alerts {
    private static final Duration OLD = Duration.ofHours(1);
    private static final String CREATED = FactText.type(Fact.SessionCreated.class);
    private static final String UPDATED = FactText.type(Fact.SessionUpdated.class);
    private static final String SPENT = FactText.type(Fact.BudgetUsed.class);
    private static final String HELD = FactText.type(Fact.AccountHeld.class);
    private static final Set<AlertKind> ENDS =
            Set.of(AlertKind.FAILED, AlertKind.TIMED_OUT, AlertKind.LOST);
    private static final Instant NEVER = Instant.parse("9999-01-01T00:00:00Z");
    private static final Sql KEY = Sql.of("select key from alert where id = :id");
    private static final Sql NAME = Sql.of("select name from any_session where id = :id");
    private static final Sql READ_TO = Sql.of("select number from event_alerted");
    private static final Sql LAST =
            Sql.of(
                    """
                    select coalesce(max(number), 0) from (
                        select number from event where number > :from order by number limit :max)
                        some_events
                    """);
    private static final Sql UPDATES =
            Sql.of(
                    """
                    select e.type, e.body, e.at, s.id, s.name
                    from event e left join session s on s.key = e.session
                    where e.number > :from and e.number <= :to
                    and e.type in (:created, :updated, :spent, :held)
                    order by e.number
                    """);
    private static final Sql READ =
            Sql.of("update event_alerted set number = :to where number = :from");
    private static final Sql ADD =
            Tables.insert("alert").followedBy("on conflict (session, cause) do nothing");
    private static final Sql ADD_DELIVERY = Tables.insert("alert_delivery");

    /** Also true if the session is hidden: a restore inserts hidden sessions with old events. */
    private static final Sql TOLD =
            Sql.of(
                    """
                    select case when exists (
                        select 1 from alert a where a.session = :session and a.raised_at >= :since
                        and a.kind in ('failed', 'timed_out', 'lost'))
                    or exists (
                        select 1 from any_session s
                        where s.key = :session and s.removal is not null)
                    then 1 else 0 end
                    """);

    private static final String ALERT =
            """
            select a.*, s.id as session_id from alert a cross join session s where s.key = a.session
            """;
    private static final Keyset.Newest LIST = Keyset.Newest.of(ALERT);
    private static final Sql DELIVERIES =
            Sql.of(
                    """
                    select d.* from alert a join alert_delivery d on d.alert = a.key
                    where a.id = :id order by d.channel
                    """);

    /** The oldest deliveries of each channel: a broken channel must not hold up the others. */
    private static final Sql DUE =
            Sql.of(
                    """
                    select a.*, s.id as session_id, d.channel, d.state, d.tries, d.due_at, d.error
                    from (
                        select due.*, row_number() over (
                            partition by due.channel order by due.due_at) as place
                        from alert_delivery due where due.due_at <= :now) d
                    join alert a on a.key = d.alert
                    join session s on s.key = a.session
                    where d.place <= :max order by d.due_at
                    """);

    private static final Sql SAVE =
            Sql.of(
                    """
                    update alert_delivery
                    set state = :state, tries = :tries, due_at = :due, error = :error
                    where alert = (select key from alert where id = :id) and channel = :channel
                    and state = 'due' and tries = :before
                    """);

    /** The last event of a live session; those that the coordinator writes do not count. */
    private static final String LAST_SAID =
            """
            select l.number from event l where l.session_id = s.id and l.type not in NOT_SAID
            order by l.number desc limit 1
            """
                    .replace("NOT_SAID", OpenQuestions.NOT_SAID);

    private static final Sql SILENT =
            Sql.of(
                    """
                    select s.id, s.name, coalesce(e.number, 0) as number,
                        coalesce(e.sent_at, e.at, s.since) as at
                    from session s left join event e on e.number = (LAST)
                    where s.state = 'running' and s.living_below = 0 and s.frozen_at is null
                    and s.since <= :since and coalesce(e.sent_at, e.at, s.since) <= :since
                    and not exists (
                        select 1 from run_use u where u.session = s.key and u.printed_at > :since)
                    and not exists (
                        select 1 from ask a where a.session = s.key and a.state = 'open')
                    and (e.number is null or not (QUESTION))
                    and not exists (
                        select 1 from alert a where a.session = s.key
                        and a.cause = 'silent:' || coalesce(e.number, 0))
                    limit :max
                    """
                            .replace("LAST", LAST_SAID)
                            .replace("QUESTION", OpenQuestions.IS_QUESTION));

    private static final Sql ASKED_FOR = Sql.of("select tool, subject from ask where id = :ask");

    /** The last event before a question, without questions and notes of the coordinator. */
    private static final Sql BEFORE_QUESTION =
            Sql.of(
                    """
                    select number from event
                    where session_id = :session and number < :question
                    and type not in NOT_SAID and substr(type, 2) not in (TYPES)
                    order by number desc limit 1
                    """
                            .replace("NOT_SAID", OpenQuestions.NOT_SAID)
                            .replace("TYPES", OpenQuestions.TYPE_LIST));

    @Override
    public News unread(int max) {
        long from = Tx.call(READ_TO).number();
        long to = Tx.call(LAST).set("from", from).set("max", max).number();
        if (to == 0) return new News(from, from, List.of());
        var causes =
                Tx.call(UPDATES)
                        .set("from", from)
                        .set("to", to)
                        .set("created", CREATED)
                        .set("updated", UPDATED)
                        .set("spent", SPENT)
                        .set("held", HELD)
                        .list(SqlAlerts::cause);
        return new News(from, to, causes.stream().flatMap(Optional::stream).toList());
    }

    private static Optional<Cause> cause(Row row) throws SQLException {
        var at = row.instant("at");
        var fact = FactText.fact(row.text("type"), row.text("body"));
        return switch (fact) {
            // The first event of an observed session may be its last.
            case Fact.SessionCreated(var first) -> end(first, at);
            case Fact.SessionUpdated(var next) -> end(next, at);
            case Fact.BudgetUsed used when used.what().equals("spent") ->
                    about(
                            row,
                            AlertKind.OVER_BUDGET,
                            used.kind() + ":" + used.max(),
                            "%s: %d of %d".formatted(used.kind(), used.spent(), used.max()));
            case Fact.AccountHeld held ->
                    about(
                            row,
                            AlertKind.QUOTA_MET,
                            held.account() + ":" + held.until(),
                            "%s starts nothing until %s".formatted(held.account(), held.until()));
            default -> Optional.empty();
        };
    }

    private static Optional<Cause> about(
            Row row, AlertKind kind, String key, @Nullable String reason) throws SQLException {
        var id = row.textOrNull("id");
        if (id == null) return Optional.empty();
        return Optional.of(
                new Cause(
                        new SessionId(id),
                        row.text("name"),
                        kind,
                        word(kind) + ":" + key,
                        reason,
                        row.instant("at"),
                        null));
    }

    /** Empty unless the session failed, timed out or was lost less than {@link #OLD} ago. */
    private static Optional<Cause> end(Fact.SessionShot shot, Instant told) {
        var ended = shot.when().ended();
        boolean isBad = ENDS.stream().anyMatch(kind -> word(kind).equals(shot.state()));
        if (ended == null || !isBad || ended.plus(OLD).isBefore(told)) return Optional.empty();
        var kind = AlertKind.valueOf(shot.state().toUpperCase(Locale.ROOT));
        var when = shot.when();
        var since =
                when.resumed() != null
                        ? when.resumed()
                        : when.started() != null ? when.started() : when.created();
        return Optional.of(
                new Cause(
                        new SessionId(shot.id()),
                        shot.name(),
                        kind,
                        word(kind) + ":" + ended.toEpochMilli(),
                        shot.reason(),
                        ended,
                        since));
    }

    @Override
    public List<Cause> silent(Instant since, int max) {
        return Tx.call(SILENT)
                .set("since", since)
                .set("max", max)
                .list(row ->
                        new Cause(
                                new SessionId(row.text("id")),
                                row.text("name"),
                                AlertKind.SILENT,
                                "silent:" + row.number("number"),
                                "it has said nothing since " + row.instant("at"),
                                row.instant("at"),
                                null));
    }

    /** A program asks, and then sends a notification of it: both are one question. */
    @Override
    public List<Cause> asking(Instant since) {
        return OpenQuestions.within("").stream()
                .filter(question -> !question.at().isAfter(since))
                .flatMap(question -> Stream.of(asking(question)))
                .toList();
    }

    private static Cause asking(OpenQuestion question) {
        var session = question.session();
        long before =
                Tx.call(BEFORE_QUESTION)
                        .set("session", session.value())
                        .set("question", question.event())
                        .first(row -> row.number("number"))
                        .orElse(0L);
        var name = Tx.call(NAME).set("id", session.value()).first(row -> row.text("name"));
        return new Cause(
                session,
                name.orElse(session.value()),
                AlertKind.ASKS,
                "asks:" + before,
                said(question),
                question.at(),
                null);
    }

    /** The use that a program asks for, or the type of the event if the use is not known. */
    private static String said(OpenQuestion question) {
        var ask = question.ask();
        if (ask == null) return question.type();
        return Tx.call(ASKED_FOR)
                .set("ask", ask)
                .first(row -> row.text("tool") + " " + row.text("subject"))
                .map(text -> Bounds.firstOf(text.strip(), Bounds.LABEL_CHARS_MAX))
                .orElse(question.type());
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public boolean read(News news) {
        return Tx.call(READ).set("from", news.from()).set("to", news.to()).update() > 0;
    }

    @Override
    public boolean add(Alert alert, @Nullable Instant since) {
        var keys = Keys.find(alert.session());
        if (keys.isEmpty()) return false;
        long session = keys.get().key();
        var from = since == null ? NEVER : since;
        if (Tx.call(TOLD).set("session", session).set("since", from).number() == 1) return false;
        boolean isNew =
                Tx.call(ADD)
                                .set("id", alert.id())
                                .set("session", session)
                                .set("session_name", alert.sessionName())
                                .set("kind", alert.kind())
                                .set("cause", alert.cause())
                                .set("reason", alert.reason())
                                .set("raised_at", alert.raised())
                                .update()
                        > 0;
        if (!isNew) return false;
        long key = Tx.call(KEY).set("id", alert.id()).number();
        for (var delivery : alert.deliveries()) {
            Tx.call(ADD_DELIVERY)
                    .set("alert", key)
                    .set("channel", delivery.channel())
                    .set("state", delivery.state())
                    .set("tries", delivery.tries())
                    .set("due_at", delivery.due())
                    .set("error", delivery.error())
                    .update();
        }
        return true;
    }

    @Override
    public Slice<Alert> list(@Nullable SessionId within, Cursor cursor) {
        var page = Keyset.newestFirst(LIST, within, cursor, row -> alert(row, List.of()));
        return new Slice<>(
                page.items().stream().map(SqlAlerts::withDeliveries).toList(), page.next());
    }

    private static Alert withDeliveries(Alert alert) {
        return new Alert(
                alert.id(),
                alert.session(),
                alert.sessionName(),
                alert.kind(),
                alert.cause(),
                alert.reason(),
                alert.raised(),
                Tx.call(DELIVERIES).set("id", alert.id()).list(SqlAlerts::delivery));
    }

    @Override
    public List<Alert> due(Instant now, int max) {
        return Tx.call(DUE)
                .set("now", now)
                .set("max", max)
                .list(row -> alert(row, List.of(delivery(row))));
    }

    private static Alert alert(Row row, List<Delivery> deliveries) throws SQLException {
        return new Alert(
                row.text("id"),
                new SessionId(row.text("session_id")),
                row.text("session_name"),
                row.constant(AlertKind.class, "kind"),
                row.text("cause"),
                row.textOrNull("reason"),
                row.instant("raised_at"),
                deliveries);
    }

    private static Delivery delivery(Row row) throws SQLException {
        return new Delivery(
                row.text("channel"),
                row.constant(Alert.State.class, "state"),
                row.integer("tries"),
                row.instantOrNull("due_at"),
                row.textOrNull("error"));
    }

    @Override
    public boolean save(Alert alert, Delivery before, Delivery next) {
        return Tx.call(SAVE)
                        .set("id", alert.id())
                        .set("channel", before.channel())
                        .set("before", before.tries())
                        .set("state", next.state())
                        .set("tries", next.tries())
                        .set("due", next.due())
                        .set("error", next.error())
                        .update()
                > 0;
    }
}
