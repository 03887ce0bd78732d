package dev.coppice.store;

import dev.coppice.alert.Alert;
import dev.coppice.alert.Alert.Delivery;
import dev.coppice.alert.Alerts;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.store.engine.Keys;
import dev.coppice.store.engine.Keyset;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.schema.Tables;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Stores alerts. */
public final class SqlAlerts implements Alerts {
    private static final Duration OLD = Duration.ofHours(1);
    private static final String CREATED = FactText.type(Fact.SessionCreated.class);
    private static final String UPDATED = FactText.type(Fact.SessionUpdated.class);
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
                    select type, body, at from event
                    where number > :from and number <= :to and type in (:created, :updated)
                    order by number
                    """);
    private static final Sql READ =
            Sql.of("update event_alerted set number = :to where number = :from");
    private static final Sql ADD =
            Tables.insert("alert").followedBy("on conflict (session, raised_at) do nothing");

    /** A restore inserts hidden sessions with the events of their past. */
    private static final Sql TOLD =
            Sql.of(
                    """
                    select case when exists (
                        select 1 from alert a where a.session = :session and a.raised_at >= :since)
                    or exists (
                        select 1 from any_session s
                        where s.key = :session and s.removal is not null)
                    then 1 else 0 end
                    """);

    private static final String ALERT =
            """
            select a.key, a.id, s.id as session_id, a.session_name, a.kind, a.reason, a.raised_at,
                a.state, a.tries, a.due_at, a.error
            from alert a cross join session s where s.key = a.session
            """;
    private static final Sql LIST =
            Sql.of(
                    ALERT
                            + """
                            and a.key < :before and s.trail >= :trail and s.trail < :end
                            order by a.key desc limit :max
                            """);
    private static final Sql DUE =
            Sql.of(ALERT + "and a.due_at <= :now order by a.due_at limit :max");
    private static final Sql SAVE =
            Sql.of(
                    """
                    update alert set state = :state, tries = :tries, due_at = :due, error = :error
                    where id = :id and state = 'due' and tries = :before
                    """);

    @Override
    public News unread(int max) {
        long from = Tx.call(READ_TO).number();
        long to = Tx.call(LAST).set("from", from).set("max", max).number();
        if (to == 0) return new News(from, from, List.of());
        var ends =
                Tx.call(UPDATES)
                        .set("from", from)
                        .set("to", to)
                        .set("created", CREATED)
                        .set("updated", UPDATED)
                        .list(row ->
                                end(
                                        FactText.fact(row.text("type"), row.text("body")),
                                        row.instant("at")));
        return new News(from, to, ends.stream().flatMap(Optional::stream).toList());
    }

    /** Empty for what is no end, or was one so long before that nobody has to hurry. */
    private static Optional<End> end(Fact fact, Instant told) {
        var shot =
                switch (fact) {
                    // The first event of an observed session may be its last.
                    case Fact.SessionCreated(var first) -> first;
                    case Fact.SessionUpdated(var next) -> next;
                    default -> null;
                };
        if (shot == null) return Optional.empty();
        var ended = shot.when().ended();
        boolean isBad =
                Stream.of(Alert.Kind.values()).anyMatch(kind -> word(kind).equals(shot.state()));
        if (ended == null || !isBad || ended.plus(OLD).isBefore(told)) return Optional.empty();
        var kind = Alert.Kind.valueOf(shot.state().toUpperCase(Locale.ROOT));
        var when = shot.when();
        var since =
                when.resumed() != null
                        ? when.resumed()
                        : when.started() != null ? when.started() : when.created();
        return Optional.of(
                new End(new SessionId(shot.id()), shot.name(), kind, shot.reason(), ended, since));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public boolean read(News news) {
        return Tx.call(READ).set("from", news.from()).set("to", news.to()).update() > 0;
    }

    @Override
    public boolean add(Alert alert, Instant since) {
        var keys = Keys.find(alert.session());
        if (keys.isEmpty()) return false;
        long session = keys.get().key();
        boolean isTold = Tx.call(TOLD).set("session", session).set("since", since).number() == 1;
        if (isTold) return false;
        var delivery = alert.delivery();
        return Tx.call(ADD)
                        .set("id", alert.id())
                        .set("session", keys.get().key())
                        .set("session_name", alert.sessionName())
                        .set("kind", word(alert.kind()))
                        .set("reason", alert.reason())
                        .set("raised_at", alert.raised())
                        .set("state", word(delivery.state()))
                        .set("tries", delivery.tries())
                        .set("due_at", delivery.due())
                        .set("error", delivery.error())
                        .update()
                > 0;
    }

    private record Placed(Alert value, long key) implements Keyset.Item<Alert> {}

    @Override
    public Slice<Alert> list(@Nullable SessionId within, Cursor cursor) {
        var trail = within == null ? "" : Keys.of(within).trail();
        var after = cursor.after();
        var found =
                Tx.call(LIST)
                        .set("before", after == null ? Long.MAX_VALUE : Keyset.number(after))
                        .set("trail", trail)
                        .set("end", Trail.end(trail))
                        .set("max", cursor.max() + 1L)
                        .page(cursor.max() + 1, row -> new Placed(alert(row), row.number("key")));
        return Keyset.slice(found, cursor.max(), placed -> Long.toString(placed.key()));
    }

    @Override
    public List<Alert> due(Instant now, int max) {
        return Tx.call(DUE).set("now", now).set("max", max).list(SqlAlerts::alert);
    }

    private static Alert alert(Row row) throws SQLException {
        return new Alert(
                row.text("id"),
                new SessionId(row.text("session_id")),
                row.text("session_name"),
                Alert.Kind.valueOf(row.text("kind").toUpperCase(Locale.ROOT)),
                row.textOrNull("reason"),
                row.instant("raised_at"),
                new Delivery(
                        Alert.State.valueOf(row.text("state").toUpperCase(Locale.ROOT)),
                        row.integer("tries"),
                        row.instantOrNull("due_at"),
                        row.textOrNull("error")));
    }

    @Override
    public boolean save(Alert before, Delivery next) {
        return Tx.call(SAVE)
                        .set("id", before.id())
                        .set("before", before.delivery().tries())
                        .set("state", word(next.state()))
                        .set("tries", next.tries())
                        .set("due", next.due())
                        .set("error", next.error())
                        .update()
                > 0;
    }
}
