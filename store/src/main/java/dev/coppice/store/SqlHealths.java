package dev.coppice.store;

import dev.coppice.health.Glance;
import dev.coppice.health.Health;
import dev.coppice.health.Healths;
import dev.coppice.health.LastWords;
import dev.coppice.health.OpenQuestion;
import dev.coppice.health.Use;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.session.Session;
import dev.coppice.session.Sessions;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.session.SessionRow;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** Reads how sessions are doing, and stores what their processes use. */
public final class SqlHealths implements Healths {
    private static final int EVENTS_PER_SESSION = 20;

    /** Older samples do not count as present use. */
    private static final Duration FRESH = Duration.ofSeconds(30);

    /** The concatenations and plus signs make the planner use the index on states, or on ends. */
    private static final String LIVE =
            """
            from session s where s.state in (%s)
            and s.trail || '' >= :trail and s.trail || '' < :end
            """
                    .formatted(SessionRow.ALIVE);

    private static final String FAILED =
            """
            from session s where s.ended_at >= :since
            and s.state || '' in ('failed', 'timed_out', 'lost')
            and s.trail || '' >= :trail and s.trail || '' < :end
            """;
    private static final Sql SOME_LIVE =
            Sql.of("select s.id " + LIVE + "order by +s.key desc limit :max");
    private static final Sql SOME_FAILED =
            Sql.of("select s.id " + FAILED + "order by +s.key desc limit :max");
    private static final Sql SUM =
            Sql.of(
                    """
                    select (select count(*) LIVE) as live,
                        (select count(*) LIVE and s.state = 'idle') as idle,
                        (select count(*) FAILED) as failed,
                        (select coalesce(sum(p.tokens), 0) from spent p
                            where p.session in (TOPS)) as tokens,
                        (select coalesce(sum(p.cost_micros), 0) from spent p
                            where p.session in (TOPS)) as cost_micros
                    """
                            .replace(
                                    "TOPS",
                                    "select case when :top = 0 then s.root else :top end LIVE")
                            .replace("LIVE", LIVE)
                            .replace("FAILED", FAILED));

    private static final Sql FIGURES =
            Sql.of(
                    """
                    select s.living_below, coalesce(p.tokens, 0) as tokens,
                        coalesce(p.cost_micros, 0) as cost_micros,
                        case when b.told like '%=nearly%' or b.told like '%=spent%'
                            then 1 else 0 end as is_warned,
                        (select count(*) from run r where r.session = s.key) as runs,
                        (select count(*) from run r where r.session = s.key
                            and r.state in ('failed', 'timed_out', 'lost')) as failed_runs,
                        (select max(u.printed_at) from run_use u where u.session = s.key)
                            as printed_at
                    from any_session s
                    left join spent p on p.session = s.key
                    left join budget b on b.session = s.key
                    where s.key = :session
                    """);
    private static final Sql RECENT =
            Sql.of(
                    """
                    select e.type, coalesce(e.sent_at, e.at) as at, e.answer,
                        case when substr(e.type, 1, 1) = '*' then substr(e.body, 1, 8192)
                            else e.body end as body
                    from event e where e.session_id = :session_id
                    and e.type not in %s
                    order by e.number desc limit :max
                    """
                            .formatted(OpenQuestions.NOT_SAID));

    /** More events than these tell nothing new. */
    private static final int EVENTS_PER_HEADLINE = 8;

    private static final int SENT_CHARS_MAX = 64 * 1024;

    private static final Sql SENT =
            Sql.of(
                    """
                    select e.type, coalesce(e.sent_at, e.at) as at, substr(e.body, 1, %d) as body
                    from event e where e.session_id = :session_id and substr(e.type, 1, 1) = '*'
                    order by e.number desc limit :max
                    """
                            .formatted(SENT_CHARS_MAX));
    private static final Sql PRINTED =
            Sql.of(
                    """
                    select u.last_line, u.printed_at from run_use u
                    where u.session = :session and u.last_line is not null
                    order by u.printed_at desc limit 1
                    """);

    /** The end of the result of the last run. */
    private static final Sql RESULT =
            Sql.of(
                    """
                    select substr(t.said, case when length(t.said) > 4000
                        then length(t.said) - 3999 else 1 end) as result
                    from (
                        select coalesce(r.result_text, r.result_data) as said
                        from run r where r.session = :session and r.ended_at is not null
                        order by r.key desc limit 1) t
                    where t.said is not null
                    """);

    private static final String USE =
            """
            select coalesce(sum(u.cpu_ms), 0) as cpu_ms,
                coalesce(sum(case when u.sampled_at >= :fresh then
                    (u.cpu_ms - u.cpu_ms_before) * 1000
                        / case when u.sampled_at > u.sampled_before
                            then u.sampled_at - u.sampled_before else 1000 end end), 0)
                        as cpu_share,
                coalesce(sum(case when u.sampled_at >= :fresh then u.memory_bytes end), 0)
                    as memory_bytes,
                coalesce(max(u.memory_peak), 0) as memory_peak,
                coalesce(sum(case when u.sampled_at >= :fresh then u.processes end), 0)
                    as processes,
                coalesce(sum(case when u.sampled_at >= :fresh then u.open_files end), 0)
                    as open_files
            """;
    private static final Sql OWN_USE = Sql.of(USE + "from run_use u where u.session = :session");
    private static final Sql USE_BELOW =
            Sql.of(
                    USE
                            + """
                            from session s join run_use u on u.session = s.key
                            where s.trail >= :trail and s.trail < :end
                            """);
    private static final Sql SAMPLE =
            Sql.of(
                    """
                    insert into run_use (
                        run, session, cpu_ms, cpu_ms_before, memory_bytes, memory_peak, processes,
                        open_files, sampled_at, sampled_before, printed_at, last_line)
                    select r.key, r.session, :cpu, :cpu, :memory, :memory, :processes, :files, :now,
                        :now, :printed, :line
                    from run r where r.id = :run and r.runner = :runner and r.ended_at is null
                    on conflict (run) do update set
                        cpu_ms_before = run_use.cpu_ms, sampled_before = run_use.sampled_at,
                        cpu_ms = case when excluded.cpu_ms > run_use.cpu_ms then excluded.cpu_ms
                            else run_use.cpu_ms end,
                        memory_bytes = excluded.memory_bytes,
                        memory_peak = case when excluded.memory_peak > run_use.memory_peak
                            then excluded.memory_peak else run_use.memory_peak end,
                        processes = excluded.processes, open_files = excluded.open_files,
                        sampled_at = excluded.sampled_at,
                        printed_at = coalesce(excluded.printed_at, run_use.printed_at),
                        last_line = coalesce(excluded.last_line, run_use.last_line)
                    """);

    private final Sessions sessions;

    public SqlHealths(Sessions sessions) {
        this.sessions = sessions;
    }

    @Override
    public Optional<Health> find(SessionId id, Instant now) {
        return sessions.find(id).map(session -> health(session, now));
    }

    @Override
    public List<Health> active(
            @Nullable SessionId within, Instant failedSince, Instant now, int max) {
        var ids = new LinkedHashSet<SessionId>();
        for (var question : questions(within)) ids.add(question.session());
        ids.addAll(
                within(SOME_FAILED, within)
                        .set("since", failedSince)
                        .set("max", max)
                        .list(row -> new SessionId(row.text("id"))));
        ids.addAll(
                within(SOME_LIVE, within)
                        .set("max", max)
                        .list(row -> new SessionId(row.text("id"))));
        return ids.stream().limit(max).flatMap(id -> find(id, now).stream()).toList();
    }

    @Override
    public Sum sum(@Nullable SessionId within, Instant failedSince) {
        return within(SUM, within)
                .set("since", failedSince)
                .set("top", within == null ? 0L : Keys.of(within).key())
                .first(row ->
                        new Sum(
                                row.number("live"),
                                row.number("idle"),
                                row.number("failed"),
                                row.number("tokens"),
                                row.number("cost_micros")))
                .orElseThrow();
    }

    private static Call within(Sql sql, @Nullable SessionId top) {
        var trail = top == null ? "" : Keys.of(top).trail();
        return Tx.call(sql).set("trail", trail).set("end", Trail.end(trail));
    }

    @Override
    public List<OpenQuestion> questions(@Nullable SessionId within) {
        return OpenQuestions.within(within == null ? "" : Keys.of(within).trail());
    }

    @Override
    public LastWords lastWords(SessionId of) {
        long key = Keys.of(of).key();
        var events =
                Tx.call(SENT)
                        .set("session_id", of.value())
                        .set("max", EVENTS_PER_HEADLINE)
                        .list(SqlHealths::sent);
        var printed =
                Tx.call(PRINTED)
                        .set("session", key)
                        .first(row ->
                                new LastWords.Printed(
                                        row.text("last_line"), row.instant("printed_at")));
        var result = Tx.call(RESULT).set("session", key).first(row -> row.text("result"));
        return new LastWords(events, printed.orElse(null), result.orElse(null));
    }

    private static LastWords.Sent sent(Row row) throws SQLException {
        var body = new JsonText(CutJson.closed(row.text("body"), SENT_CHARS_MAX));
        // The type of a sent event follows a mark.
        return new LastWords.Sent(row.text("type").substring(1), row.instant("at"), body);
    }

    private Health health(Session session, Instant now) {
        var recent =
                Tx.call(RECENT)
                        .set("session_id", session.id().value())
                        .set("max", EVENTS_PER_SESSION)
                        .list(SqlHealths::glance);
        long key = Keys.of(session.id()).key();
        var use = Tx.call(OWN_USE).set("session", key);
        return Tx.call(FIGURES)
                .set("session", key)
                .first(row ->
                        new Health(
                                session,
                                row.number("living_below"),
                                new Health.Spent(
                                        row.number("tokens"),
                                        row.number("cost_micros"),
                                        row.number("is_warned") == 1),
                                new Health.Runs(row.integer("runs"), row.integer("failed_runs")),
                                use(use, now),
                                row.instantOrNull("printed_at"),
                                recent))
                .orElseThrow();
    }

    private static Glance glance(Row row) throws SQLException {
        var body = row.text("body");
        var fact = FactText.fact(row.text("type"), body);
        var words = EventWords.of(fact, body);
        var type = fact.shown().type();
        boolean isSent = fact instanceof Fact.Reported;
        boolean isQuestion =
                isSent
                        && row.textOrNull("answer") == null
                        && (OpenQuestion.TYPES.contains(type) || words.isQuestion());
        return new Glance(type, row.instant("at"), words.tool(), words.ending(), isQuestion);
    }

    @Override
    public Use below(SessionId top, Instant now) {
        var trail = Keys.of(top).trail();
        return use(Tx.call(USE_BELOW).set("trail", trail).set("end", Trail.end(trail)), now);
    }

    private static Use use(Call call, Instant now) {
        return call.set("fresh", now.minus(FRESH))
                .first(row ->
                        new Use(
                                row.number("cpu_ms"),
                                row.number("cpu_share") / 1000.0,
                                row.number("memory_bytes"),
                                row.number("memory_peak"),
                                row.integer("processes"),
                                row.integer("open_files")))
                .orElseThrow();
    }

    @Override
    public void sample(RunnerId by, List<Sample> samples, Instant now) {
        if (samples.isEmpty()) return;
        var call = Tx.call(SAMPLE);
        for (var sample : samples) {
            var printed = sample.printed();
            call.set("run", sample.run().value())
                    .set("runner", by.value())
                    .set("cpu", sample.cpuMillis())
                    .set("memory", sample.memoryBytes())
                    .set("processes", sample.processes())
                    .set("files", sample.openFiles())
                    .set("now", now)
                    .set("printed", printed == null ? null : printed.at())
                    .set("line", printed == null ? null : printed.line())
                    .add();
        }
        call.updateAll();
    }
}
