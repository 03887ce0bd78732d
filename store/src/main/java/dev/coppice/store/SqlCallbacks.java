package dev.coppice.store;

import dev.coppice.callback.About;
import dev.coppice.callback.Callback;
import dev.coppice.callback.CallbackFilter;
import dev.coppice.callback.CallbackId;
import dev.coppice.callback.CallbackState;
import dev.coppice.callback.Callbacks;
import dev.coppice.callback.JoinId;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Keyset;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.schema.Tables;
import dev.coppice.word.WhenBusy;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Stores callbacks. */
final class SqlCallbacks implements Callbacks {
    private static final String COLUMNS = "select c.* from callback c ";
    private static final String FIND_TEXT = COLUMNS + "where c.id = :id";
    private static final Sql FIND = Sql.of(FIND_TEXT);
    private static final Sql INSERT = Tables.insert("callback", "carrier", "reason", "removed_by");
    private static final Sql UPDATE =
            Tables.update("callback", "id", "state since due carrier reason removed_by tries");
    private static final Sql OPEN_OF =
            Sql.of(
                    COLUMNS
                            + """
                            where c.session = :session and c.state in ('owed', 'held')
                            order by c.key limit :max
                            """);

    private static final Sql OPEN_ABOUT =
            Sql.of(
                    COLUMNS
                            + """
                            where c.session = :session and c.state in ('owed', 'held')
                            and c.child_id = :child order by c.key
                            """);

    /** The empty concatenation keeps the planner off the trail index: open callbacks are few. */
    private static final Sql MESSAGES_WITHIN =
            Sql.of(
                    COLUMNS
                            + """
                            join session s on s.key = c.session
                            where c.state in ('owed', 'held') and c.about = 'message'
                            and s.trail || '' >= :trail and s.trail || '' < :end
                            order by c.key limit :max
                            """);

    /** Open callbacks whose session was purged before they were settled. */
    private static final Sql ORPHANED =
            Sql.of(
                    COLUMNS
                            + """
                            where c.session is null and c.session_id = :session
                            and c.state in ('owed', 'held') order by c.key limit :max
                            """);

    private static final Sql HAS_CARRIED =
            Sql.of(
                    """
                    select count(*) from callback c
                    where c.session = :session and c.about = 'message'
                    and (c.state in ('carried', 'delivered') or c.tries > 0)
                    and c.notice = :notice and c.notice_about_id = :child
                    """);
    private static final Sql CARRIED_BY =
            Sql.of(
                    COLUMNS
                            + """
                            where c.carrier = :run and c.state = 'carried' order by c.key
                            """);
    private static final Sql OF_CHILD_RUN =
            Sql.of(COLUMNS + "where c.run = :run and c.about = 'child_end'");

    /**
     * Skips sessions with a live run, which are told when it ends, and frozen ones, which are told
     * when they are thawed.
     */
    private static final Sql WAITING_SINCE =
            Sql.of(
                    """
                    select c.session_id from callback c
                    where c.state = 'owed' and c.due <= :now
                    and not exists (
                        select 1 from run r where r.session = c.session and r.ended_at is null)
                    and not exists (
                        select 1 from session s
                        where s.key = c.session and s.frozen_at is not null)
                    group by c.session_id order by min(c.due) limit :max
                    """);

    private static final Sql HELD_SINCE =
            Sql.of(
                    COLUMNS
                            + """
                            where c.state = 'held' and c.since < :moment
                            order by c.since limit :max
                            """);

    /** An empty text stands for a filter that is not set. */
    private static final String NARROWED =
            """
            c.key < :after
            and (c.session is null or c.state = 'dead' or exists (
                select 1 from session v where v.key = c.session))
            and (:states = '' or :states like '%,' || c.state || ',%')
            order by c.key desc limit :max
            """;

    private static final Sql LIST_ALL = Sql.of(COLUMNS + "where " + NARROWED);
    private static final Sql LIST_STATE =
            Sql.of(
                    COLUMNS
                            + """
                            where c.state = :state and c.key < :after
                            and (c.session is null or c.state = 'dead' or exists (
                                select 1 from session v where v.key = c.session))
                            order by c.key desc limit :max
                            """);
    private static final Sql LIST_OF =
            Sql.of(COLUMNS + "where c.session = :session and " + NARROWED);
    private static final Sql LIST_WITHIN =
            Sql.of(
                    COLUMNS
                            + """
                            join session s on s.key = c.session
                            where s.trail >= :trail and s.trail < :end and
                            """
                            + NARROWED);

    @Override
    public void add(Callback c) {
        var keys = Keys.of(c.to());
        var owed = (CallbackState.Owed) c.state();
        var call =
                Tx.call(INSERT)
                        .set("id", c.id().value())
                        .set("session", keys.key())
                        .set("session_id", c.to().value())
                        .set("tree", keys.tree())
                        .set("state", owed.word())
                        .set("since", owed.since())
                        .set("due", owed.due())
                        .set("created_at", c.created());
        about(call, c.about()).update();
    }

    private static Call about(Call call, About about) {
        var child = about instanceof About.ChildEnd end ? end : null;
        var join = about instanceof About.JoinOver over ? over.join().value() : null;
        var message = about instanceof About.Message m ? m : null;
        var from = message == null ? null : message.from();
        var notice = message == null ? null : message.notice();
        return call.set("about", word(about))
                .set("child_id", child == null ? null : child.child().value())
                .set("run", child == null ? null : child.run().value())
                .set("join_id", join)
                .set("body", message == null ? null : message.text())
                .set("sender", from == null ? null : from.value())
                .set("notice", notice == null ? null : word(notice.kind()))
                .set("notice_about_id", notice == null ? null : notice.about().value())
                .set("when_busy", message == null ? null : word(message.whenBusy()));
    }

    private static String word(About about) {
        return switch (about) {
            case About.ChildEnd _ -> "child_end";
            case About.JoinOver _ -> "join_over";
            case About.Message _ -> "message";
        };
    }

    @Override
    public void save(Callback c) {
        var due = c.state() instanceof CallbackState.Owed(_, var at) ? at : null;
        Tx.call(UPDATE)
                .set("id", c.id().value())
                .set("state", c.state().word())
                .set("since", c.state().since())
                .set("due", due)
                .set("carrier", c.state().carrier())
                .set("reason", c.state().why())
                .set("removed_by", c.state() instanceof CallbackState.Dead d ? d.removedBy() : null)
                .set("tries", (long) c.tries())
                .update();
    }

    @Override
    public Optional<Callback> find(CallbackId id) {
        return Tx.call(FIND).set("id", id.value()).first(SqlCallbacks::callback);
    }

    @Override
    public List<Callback> openOf(SessionId to, int max) {
        return Keys.find(to)
                .map(k ->
                        Tx.call(OPEN_OF)
                                .set("session", k.key())
                                .set("max", max)
                                .list(SqlCallbacks::callback))
                .orElseGet(() ->
                        Tx.call(ORPHANED)
                                .set("session", to.value())
                                .set("max", max)
                                .list(SqlCallbacks::callback));
    }

    @Override
    public List<Callback> openAbout(SessionId to, SessionId child) {
        return Keys.find(to)
                .map(k ->
                        Tx.call(OPEN_ABOUT)
                                .set("session", k.key())
                                .set("child", child.value())
                                .list(SqlCallbacks::callback))
                .orElse(List.of());
    }

    @Override
    public List<Callback> messagesWithin(SessionId top, int max) {
        var trail = Keys.of(top).trail();
        return Tx.call(MESSAGES_WITHIN)
                .set("trail", trail)
                .set("end", Trail.end(trail))
                .set("max", max)
                .list(SqlCallbacks::callback);
    }

    @Override
    public List<Callback> carriedBy(RunId run) {
        return Tx.call(CARRIED_BY).set("run", run.value()).list(SqlCallbacks::callback);
    }

    @Override
    public Optional<Callback> ofChildRun(RunId run) {
        return Tx.call(OF_CHILD_RUN).set("run", run.value()).first(SqlCallbacks::callback);
    }

    @Override
    public List<SessionId> waitingSince(Instant now, int max) {
        return Tx.call(WAITING_SINCE)
                .set("now", now)
                .set("max", max)
                .list(row -> new SessionId(row.text("session_id")));
    }

    @Override
    public List<Callback> heldSince(Instant moment, int max) {
        return Tx.call(HELD_SINCE)
                .set("moment", moment)
                .set("max", max)
                .list(SqlCallbacks::callback);
    }

    @Override
    public boolean hasCarried(SessionId to, About.Notice notice) {
        return Tx.call(HAS_CARRIED)
                        .set("session", Keys.of(to).key())
                        .set("notice", notice.kind())
                        .set("child", notice.about().value())
                        .number()
                > 0;
    }

    @Override
    public Slice<Callback> list(CallbackFilter filter, Cursor cursor) {
        long after = cursor.after() == null ? Long.MAX_VALUE : Keyset.number(cursor.after());
        var call = narrowed(filter);
        if (call.isEmpty()) return new Slice<>(List.of(), null);
        var found =
                call.get()
                        .set("after", after)
                        .set("max", cursor.max() + 1L)
                        .page(cursor.max() + 1, SqlCallbacks::keyed);
        return Keyset.slice(found, cursor.max(), k -> Long.toString(k.key()));
    }

    private static Optional<Call> narrowed(CallbackFilter filter) {
        var states = filter.states();
        var joined = states.isEmpty() ? "" : "," + String.join(",", states) + ",";
        if (filter.to() != null) {
            return Keys.find(filter.to())
                    .map(k -> Tx.call(LIST_OF).set("session", k.key()).set("states", joined));
        }
        if (filter.within() != null) {
            return Keys.find(filter.within())
                    .map(k ->
                            Tx.call(LIST_WITHIN)
                                    .set("trail", k.trail())
                                    .set("end", Trail.end(k.trail()))
                                    .set("states", joined));
        }
        return Optional.of(
                states.size() == 1
                        ? Tx.call(LIST_STATE).set("state", states.iterator().next())
                        : Tx.call(LIST_ALL).set("states", joined));
    }

    private record Keyed(Callback value, long key) implements Keyset.Item<Callback> {}

    private static Keyed keyed(Row row) throws SQLException {
        return new Keyed(callback(row), row.number("key"));
    }

    private static Callback callback(Row row) throws SQLException {
        return new Callback(
                new CallbackId(row.text("id")),
                new SessionId(row.text("session_id")),
                about(row),
                state(row),
                row.integer("tries"),
                row.instant("created_at"));
    }

    private static About about(Row row) throws SQLException {
        return switch (row.text("about")) {
            case "child_end" ->
                    new About.ChildEnd(
                            new SessionId(row.text("child_id")), new RunId(row.text("run")));
            case "join_over" -> new About.JoinOver(new JoinId(row.text("join_id")));
            case "message" -> {
                var sender = row.textOrNull("sender");
                yield new About.Message(
                        row.text("body"),
                        sender == null ? null : new SessionId(sender),
                        row.constant(WhenBusy.class, "when_busy"),
                        notice(row));
            }
            case String word -> throw new IllegalStateException("unknown callback " + word);
        };
    }

    private static About.@Nullable Notice notice(Row row) throws SQLException {
        var kind = row.textOrNull("notice");
        if (kind == null) return null;
        return new About.Notice(
                About.Notice.Kind.valueOf(kind.toUpperCase(Locale.ROOT)),
                new SessionId(row.text("notice_about_id")));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static CallbackState state(Row row) throws SQLException {
        var since = row.instant("since");
        return switch (row.text("state")) {
            case "owed" -> new CallbackState.Owed(since, row.instant("due"));
            case "held" -> new CallbackState.Held(since, row.text("reason"));
            case "carried" -> new CallbackState.Carried(since, new RunId(row.text("carrier")));
            case "delivered" -> new CallbackState.Delivered(since, new RunId(row.text("carrier")));
            case "joined" -> new CallbackState.Joined(since, new JoinId(row.text("carrier")));
            case "dead" ->
                    new CallbackState.Dead(since, row.text("reason"), row.textOrNull("removed_by"));
            case String word -> throw new IllegalStateException("unknown callback state " + word);
        };
    }
}
