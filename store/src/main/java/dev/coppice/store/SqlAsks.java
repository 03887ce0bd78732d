package dev.coppice.store;

import dev.coppice.ask.Ask;
import dev.coppice.ask.Ask.End;
import dev.coppice.ask.Ask.Settled;
import dev.coppice.ask.Asks;
import dev.coppice.ask.StandingAnswer;
import dev.coppice.ask.StandingAnswer.Revoked;
import dev.coppice.ask.StandingAnswer.Used;
import dev.coppice.ask.ToolPattern;
import dev.coppice.ask.ToolUse;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Keyset;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.schema.Tables;
import dev.coppice.word.Verdict;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Stores questions and standing answers. */
public final class SqlAsks implements Asks {
    private static final Sql ADD = Tables.insert("ask");
    private static final Sql ADD_STANDING = Tables.insert("standing_answer");
    private static final String ASK =
            """
            select a.*, s.id as session_id, s.name as session_name
            from ask a cross join session s where s.key = a.session
            """;
    private static final String STANDING =
            """
            select a.*, s.id as session_id, s.name as session_name
            from standing_answer a cross join session s where s.key = a.session
            """;
    private static final Sql FIND = Sql.of(ASK + "and a.id = :id");
    private static final Sql FIND_STANDING = Sql.of(STANDING + "and a.id = :id");
    private static final Keyset.Newest LIST = Keyset.Newest.of(ASK);
    private static final Keyset.Newest LIST_OPEN = Keyset.Newest.of(ASK + "and a.state = 'open' ");
    private static final Keyset.Newest LIST_STANDING = Keyset.Newest.of(STANDING);
    private static final Sql COUNT_OPEN =
            Sql.of(
                    """
                    select count(*) as of_all,
                        coalesce(sum(case when s.id = :session then 1 else 0 end), 0) as of_session,
                        coalesce(sum(case when s.root = (select t.root from session t
                            where t.id = :session) then 1 else 0 end), 0) as of_tree
                    from ask a cross join session s where s.key = a.session and a.state = 'open'
                    """);
    private static final Sql OVERDUE =
            Sql.of(
                    ASK
                            + """
                            and a.state = 'open' and a.until_at <= :moment
                            order by a.until_at limit :max
                            """);
    private static final String SETTLED =
            """
            update ask set state = :state, settled_by = :by, reason = :reason,
                standing = :standing, settled_at = :at
            where state = 'open'
            """;
    private static final Sql SETTLE = Sql.of(SETTLED + "and id = :id");
    private static final Sql WITHDRAW_ALL = Sql.of(SETTLED);
    private static final Sql ABOVE =
            Sql.of(
                    """
                    with recursive up (k, above) as (
                        select key, parent from session where key = :key
                        union all
                        select a.key, a.parent from session a join up on a.key = up.above)
                    select a.*, s.id as session_id, s.name as session_name
                    from up join standing_answer a on a.session = up.k
                    join session s on s.key = up.k
                    where a.revoked_at is null and a.until_at > :now
                    order by s.depth desc, a.key desc
                    """);
    private static final Sql REVOKE =
            Sql.of(
                    """
                    update standing_answer set revoked_at = :at, revoked_by = :by
                    where id = :id and revoked_at is null
                    """);
    private static final Sql USED =
            Sql.of("update standing_answer set uses = uses + 1, used_at = :at where id = :id");

    @Override
    public void add(Ask ask) {
        Tx.call(ADD)
                .set("id", ask.id())
                .set("session", Keys.of(ask.session()).key())
                .set("event", ask.event())
                .set("tool", ask.use().tool())
                .set("subject", ask.use().subject())
                .set("asked_at", ask.asked())
                .set("until_at", ask.until())
                .set("otherwise", ask.otherwise())
                .set("state", "open")
                .set("settled_by", (String) null)
                .set("reason", (String) null)
                .set("standing", (String) null)
                .set("settled_at", (Instant) null)
                .update();
    }

    @Override
    public Optional<Ask> find(String id) {
        return Tx.call(FIND).set("id", id).first(SqlAsks::ask);
    }

    @Override
    public boolean settle(Ask settled) {
        var end = settled.settled();
        return end != null && end(SETTLE, end).set("id", settled.id()).update() > 0;
    }

    private static Call end(Sql update, Settled end) {
        return Tx.call(update)
                .set("state", end.end())
                .set("by", end.by())
                .set("reason", end.reason())
                .set("standing", end.standing())
                .set("at", end.at());
    }

    @Override
    public int withdrawAll(Settled end) {
        return end(WITHDRAW_ALL, end).update();
    }

    @Override
    public Slice<Ask> list(@Nullable SessionId within, Cursor cursor) {
        return Keyset.newestFirst(LIST, within, cursor, SqlAsks::ask);
    }

    @Override
    public Slice<Ask> open(@Nullable SessionId within, Cursor cursor) {
        return Keyset.newestFirst(LIST_OPEN, within, cursor, SqlAsks::ask);
    }

    @Override
    public Slice<StandingAnswer> listStanding(@Nullable SessionId within, Cursor cursor) {
        return Keyset.newestFirst(LIST_STANDING, within, cursor, SqlAsks::standing);
    }

    @Override
    public OpenCount countOpen(SessionId session) {
        return Tx.call(COUNT_OPEN)
                .set("session", session.value())
                .first(row ->
                        new OpenCount(
                                row.number("of_session"),
                                row.number("of_tree"),
                                row.number("of_all")))
                .orElseThrow();
    }

    @Override
    public List<Ask> overdue(Instant moment, int max) {
        return Tx.call(OVERDUE).set("moment", moment).set("max", max).list(SqlAsks::ask);
    }

    private static Ask ask(Row row) throws SQLException {
        var state = row.text("state");
        var settled =
                state.equals("open")
                        ? null
                        : new Settled(
                                End.valueOf(state.toUpperCase(Locale.ROOT)),
                                row.text("settled_by"),
                                row.textOrNull("reason"),
                                row.textOrNull("standing"),
                                row.instant("settled_at"));
        return new Ask(
                row.text("id"),
                new SessionId(row.text("session_id")),
                row.text("session_name"),
                row.number("event"),
                new ToolUse(row.text("tool"), row.text("subject")),
                row.instant("asked_at"),
                row.instant("until_at"),
                row.constant(Ask.Otherwise.class, "otherwise"),
                settled);
    }

    @Override
    public void add(StandingAnswer answer) {
        Tx.call(ADD_STANDING)
                .set("id", answer.id())
                .set("session", Keys.of(answer.session()).key())
                .set("pattern", answer.pattern().toString())
                .set("verdict", answer.verdict())
                .set("reason", answer.reason())
                .set("made_by", answer.madeBy())
                .set("made_at", answer.made())
                .set("until_at", answer.until())
                .set("revoked_at", (Instant) null)
                .set("revoked_by", (String) null)
                .set("used_at", answer.used().last())
                .update();
    }

    @Override
    public Optional<StandingAnswer> findStanding(String id) {
        return Tx.call(FIND_STANDING).set("id", id).first(SqlAsks::standing);
    }

    @Override
    public List<StandingAnswer> above(SessionId session, Instant now) {
        return Keys.find(session)
                .map(k ->
                        Tx.call(ABOVE).set("key", k.key()).set("now", now).list(SqlAsks::standing))
                .orElse(List.of());
    }

    private static StandingAnswer standing(Row row) throws SQLException {
        var revoked = row.instantOrNull("revoked_at");
        return new StandingAnswer(
                row.text("id"),
                new SessionId(row.text("session_id")),
                row.text("session_name"),
                ToolPattern.of(row.text("pattern")).orElseThrow(),
                row.constant(Verdict.class, "verdict"),
                row.textOrNull("reason"),
                row.text("made_by"),
                row.instant("made_at"),
                row.instant("until_at"),
                revoked == null ? null : new Revoked(row.text("revoked_by"), revoked),
                new Used(row.number("uses"), row.instantOrNull("used_at")));
    }

    @Override
    public void revoke(StandingAnswer answer, Revoked by) {
        Tx.call(REVOKE).set("id", answer.id()).set("at", by.at()).set("by", by.by()).update();
    }

    @Override
    public void used(StandingAnswer answer, Instant at) {
        Tx.call(USED).set("id", answer.id()).set("at", at).update();
    }
}
