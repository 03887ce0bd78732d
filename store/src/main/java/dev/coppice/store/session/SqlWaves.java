package dev.coppice.store.session;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.store.engine.Keyset;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.schema.Tables;
import dev.coppice.wave.Planned;
import dev.coppice.wave.Wave;
import dev.coppice.wave.WaveMember;
import dev.coppice.wave.WavePlan;
import dev.coppice.wave.Waves;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Stores waves, their plans and their members. */
public final class SqlWaves implements Waves {
    private static final String SEPARATOR = ",";
    private static final Sql ADD = Tables.insert("wave").followedBy("on conflict (id) do nothing");
    private static final Sql PLAN = Tables.insert("wave_plan", "session_id", "why");

    /** A wave of a hidden session is hidden with it. */
    private static final String WAVE =
            """
            select w.key, w.id, w.name, s.id as parent_id, w.concurrency, w.stagger_ms,
                w.parameters, w.by_person, w.created_at
            from wave w left join session s on s.key = w.session
            where (w.session is null or s.key is not null)
            """;

    private static final Sql FIND = Sql.of(WAVE + "and w.id = :id");
    private static final Sql LIST =
            Sql.of(WAVE + "and w.key < :before order by w.key desc limit :max");
    private static final Sql LIST_WITHIN =
            Sql.of(
                    WAVE
                            + """
                            and w.key < :before and s.trail >= :trail and s.trail < :end
                            order by w.key desc limit :max
                            """);
    private static final Sql PLANNED =
            Sql.of(
                    """
                    select p.name, p.phase, p.below, p.follows, p.state, p.session_id,
                        p.since, p.why
                    from wave_plan p join wave w on w.key = p.wave
                    where w.id = :id order by p.key
                    """);
    private static final String MEMBER =
            """
            select s.id, s.name, PHASE as phase, s.state, s.reason, s.since, s.started_at,
                s.ended_at, coalesce(p.tokens, 0) as tokens,
                coalesce(p.cost_micros, 0) as cost_micros
            """;
    private static final Sql MEMBERS =
            Sql.of(
                    MEMBER.replace("PHASE", "m.phase")
                            + """
                            from wave_member m join session s on s.key = m.session
                            left join spent p on p.session = s.key
                            where m.wave = :wave order by m.session limit :max
                            """);
    private static final Sql MEMBERSHIP =
            Sql.of(
                    """
                    select count(*) from any_session s join wave_member m on m.session = s.key
                    where s.id = :id and m.wave = :wave
                    """);
    private static final Sql LOOSE =
            Sql.of(
                    MEMBER.replace("PHASE", "null")
                            + """
                            from session s left join spent p on p.session = s.key
                            where s.parent = :parent and s.started_at is not null
                            and not exists (select 1 from wave_member m where m.session = s.key)
                            order by s.started_at desc, s.key desc limit :max
                            """);
    private static final Sql JOIN =
            Sql.of(
                    """
                    insert into wave_member (session, wave, phase) values (:session, :wave, :phase)
                    on conflict (session) do nothing
                    """);
    private static final Sql RELATE =
            Sql.of(
                    """
                    update relationship set type = 'wave_member', reason = 'wave_orchestration',
                        delegation = 'parallel', evidence = 'declared', confidence = 100
                    where child_id = :child and type = 'parent/child' and set_aside = 0
                    """);
    private static final Sql WAITING =
            Sql.of(
                    """
                    select w.id, w.key from wave w left join session s on s.key = w.session
                    where (w.session is null or s.key is not null) and w.key > :after
                    and w.key in (select p.wave from wave_plan p where p.state = 'waiting')
                    order by w.key limit :max
                    """);
    private static final Sql FORGET =
            Sql.of(
                    """
                    delete from wave where key in (
                        select w.key from wave w
                        where w.session is null and w.created_at < :before
                        and not exists (
                            select 1 from wave_plan p
                            where p.wave = w.key and p.state = 'waiting')
                        and not exists (select 1 from wave_member m where m.wave = w.id)
                        order by w.key limit :max)
                    """);
    private static final Sql COUNT_WAITING =
            Sql.of(
                    """
                    select count(*) from wave w where w.session = :session and exists (
                        select 1 from wave_plan p where p.wave = w.key and p.state = 'waiting')
                    """);
    private static final Sql TAKEN = Sql.of("select count(*) from wave where id = :id");
    private static final Sql WAITING_RUN =
            Sql.of(
                    """
                    select p.run from wave_plan p join wave w on w.key = p.wave
                    where w.id = :id and p.name = :name and p.state = 'waiting'
                    """);
    private static final Sql STATES =
            Sql.of(
                    """
                    select p.name, s.state from wave_plan p join wave w on w.key = p.wave
                    join session s on s.id = p.session_id where w.id = :id
                    """);
    private static final Sql BUSY =
            Sql.of(
                    """
                    select case when exists (
                        select 1 from wave w join wave_plan p on p.wave = w.key
                        where w.id = :id and p.state = 'waiting')
                    or exists (
                        select 1 from wave_member m join session s on s.key = m.session
                        where m.wave = :id and s.state in ('pending', 'running', 'stopping'))
                    then 1 else 0 end
                    """);
    private static final Sql SETTLE =
            Sql.of(
                    """
                    update wave_plan set state = :state, session_id = :session_id, since = :since,
                        why = :why, run = '{}'
                    where wave = (select w.key from wave w where w.id = :id) and name = :name
                    and state = 'waiting'
                    """);

    @Override
    public void add(WavePlan plan) {
        var wave = plan.wave();
        var parent = wave.parent();
        Tx.call(ADD)
                .set("id", wave.id())
                .set("name", wave.name())
                .setNumber("session", parent == null ? null : Keys.of(parent).key())
                .setNumber("concurrency", wave.concurrency())
                .set("stagger_ms", wave.stagger().toMillis())
                .set("parameters", wave.parameters().value())
                .set("by_person", wave.isByPerson() ? 1 : 0)
                .set("created_at", wave.created())
                .update();
        if (plan.members().isEmpty()) return;
        long key = Tx.call(FIND).set("id", wave.id()).first(row -> row.number("key")).orElseThrow();
        var call = Tx.call(PLAN);
        for (var member : plan.members()) {
            call.set("wave", key)
                    .set("name", member.name())
                    .set("phase", member.phase())
                    .set("below", member.below())
                    .set("follows", String.join(SEPARATOR, member.follows()))
                    .set("run", member.run().value())
                    .set("state", word(member.fate().state()))
                    .set("since", member.fate().since())
                    .add();
        }
        call.updateAll();
    }

    private static String word(Planned.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Optional<Wave> find(String id) {
        return Tx.call(FIND).set("id", id).first(SqlWaves::wave);
    }

    private static Wave wave(Row row) throws SQLException {
        var parent = row.textOrNull("parent_id");
        var concurrency = row.numberOrNull("concurrency");
        return new Wave(
                row.text("id"),
                row.text("name"),
                parent == null ? null : new SessionId(parent),
                concurrency == null ? null : concurrency.intValue(),
                Duration.ofMillis(row.number("stagger_ms")),
                new JsonText(row.text("parameters")),
                row.number("by_person") == 1,
                row.instant("created_at"));
    }

    private record Placed(Wave value, long key) implements Keyset.Item<Wave> {}

    @Override
    public Slice<Wave> list(@Nullable SessionId within, Cursor cursor) {
        var after = cursor.after();
        var call =
                Tx.call(within == null ? LIST : LIST_WITHIN)
                        .set("before", after == null ? Long.MAX_VALUE : Keyset.number(after))
                        .set("max", cursor.max() + 1L);
        if (within != null) {
            var trail = Keys.of(within).trail();
            call.set("trail", trail).set("end", Trail.end(trail));
        }
        var found = call.page(cursor.max() + 1, row -> new Placed(wave(row), row.number("key")));
        return Keyset.slice(found, cursor.max(), placed -> Long.toString(placed.key()));
    }

    @Override
    public List<Planned> planned(Wave wave) {
        return Tx.call(PLANNED).set("id", wave.id()).list(SqlWaves::planned);
    }

    private static Planned planned(Row row) throws SQLException {
        var session = row.textOrNull("session_id");
        var follows = row.text("follows");
        return new Planned(
                row.text("name"),
                row.textOrNull("phase"),
                row.textOrNull("below"),
                follows.isEmpty() ? List.of() : List.of(follows.split(SEPARATOR, -1)),
                JsonText.EMPTY_OBJECT,
                new Planned.Fate(
                        row.constant(Planned.State.class, "state"),
                        session == null ? null : new SessionId(session),
                        row.instant("since"),
                        row.textOrNull("why")));
    }

    @Override
    public List<WaveMember> members(String wave, int max) {
        return Tx.call(MEMBERS).set("wave", wave).set("max", max).list(SqlWaves::member);
    }

    @Override
    public boolean isMember(SessionId session, String wave) {
        return Tx.call(MEMBERSHIP).set("id", session.value()).set("wave", wave).number() > 0;
    }

    @Override
    public List<WaveMember> loose(SessionId parent, int max) {
        return Tx.call(LOOSE)
                .set("parent", Keys.of(parent).key())
                .set("max", max)
                .list(SqlWaves::member)
                .reversed();
    }

    private static WaveMember member(Row row) throws SQLException {
        var state = row.text("state");
        // An idle session finished its work when it became idle.
        var end = state.equals("idle") ? row.instant("since") : row.instantOrNull("ended_at");
        return new WaveMember(
                new SessionId(row.text("id")),
                row.text("name"),
                row.textOrNull("phase"),
                state,
                row.textOrNull("reason"),
                new WaveMember.Span(row.instantOrNull("started_at"), end),
                row.number("tokens"),
                row.number("cost_micros"));
    }

    @Override
    public void join(SessionId session, String wave, @Nullable String phase) {
        Tx.call(JOIN)
                .set("session", Keys.of(session).key())
                .set("wave", wave)
                .set("phase", phase)
                .update();
        Tx.call(RELATE).set("child", session.value()).update();
    }

    private record Waiting(String value, long key) implements Keyset.Item<String> {}

    @Override
    public Slice<String> waiting(Cursor cursor) {
        var after = cursor.after();
        var found =
                Tx.call(WAITING)
                        .set("after", after == null ? 0 : Keyset.number(after))
                        .set("max", cursor.max() + 1L)
                        .page(
                                cursor.max() + 1,
                                row -> new Waiting(row.text("id"), row.number("key")));
        return Keyset.slice(found, cursor.max(), waiting -> Long.toString(waiting.key()));
    }

    @Override
    public int forget(Instant before, int max) {
        return Tx.call(FORGET).set("before", before).set("max", max).update();
    }

    @Override
    public int countWaiting(SessionId parent) {
        return (int) Tx.call(COUNT_WAITING).set("session", Keys.of(parent).key()).number();
    }

    @Override
    public boolean isTaken(String id) {
        return Tx.call(TAKEN).set("id", id).number() > 0;
    }

    @Override
    public Optional<JsonText> waitingRun(Wave wave, String member) {
        return Tx.call(WAITING_RUN)
                .set("id", wave.id())
                .set("name", member)
                .first(row -> new JsonText(row.text("run")));
    }

    @Override
    public Map<String, String> states(Wave wave) {
        var states = new HashMap<String, String>();
        Tx.call(STATES)
                .set("id", wave.id())
                .walk(
                        row -> Map.entry(row.text("name"), row.text("state")),
                        e -> states.put(e.getKey(), e.getValue()));
        return states;
    }

    @Override
    public boolean isBusy(String wave) {
        return Tx.call(BUSY).set("id", wave).number() == 1;
    }

    @Override
    public boolean settle(Wave wave, String member, Planned.Fate fate) {
        var session = fate.session();
        return Tx.call(SETTLE)
                        .set("id", wave.id())
                        .set("name", member)
                        .set("state", word(fate.state()))
                        .set("session_id", session == null ? null : session.value())
                        .set("since", fate.since())
                        .set("why", fate.why())
                        .update()
                > 0;
    }
}
