package dev.coppice.store;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.run.Demands;
import dev.coppice.run.Holder;
import dev.coppice.run.Lease;
import dev.coppice.run.Mode;
import dev.coppice.run.Result;
import dev.coppice.run.Run;
import dev.coppice.run.RunFilter;
import dev.coppice.run.RunState;
import dev.coppice.run.RunType;
import dev.coppice.run.RunWord;
import dev.coppice.run.Runs;
import dev.coppice.run.Task;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Runs as the database knows them. */
final class SqlRuns implements Runs {
    private static final String COLUMNS =
            """
            select r.*, s.id as session_id from run r join session s on s.key = r.session
            """;

    private static final String FIND_TEXT = COLUMNS + "where r.id = :id";
    private static final Sql FIND = Sql.of(FIND_TEXT);
    private static final String LIVE_TEXT =
            COLUMNS + "where r.session = :session and r.ended_at is null";
    private static final Sql LIVE_OF = Sql.of(LIVE_TEXT);
    private static final Sql QUEUED =
            Sql.of(
                    COLUMNS
                            + """
                            where r.state = 'queued' and r.key > :after
                            order by r.key limit :max
                            """);
    private static final Sql LATEST_OF =
            Sql.of(COLUMNS + "where r.session = :session order by r.key desc limit 1");
    private static final Sql INSERT =
            Sql.of(
                    """
                    insert into run (
                        id, session, tree, type, mode, blueprint, definition, parameters, scope,
                        project_dir, demand_hostname, demand_project_dir, demand_executor_profile,
                        demand_executor_type, demand_tags, state, since, queued_at, unmatched_at)
                    values (
                        :id, :session, :tree, :type, :mode, :blueprint, :definition, :parameters,
                        :scope, :project_dir, :demand_hostname, :demand_project_dir,
                        :demand_executor_profile, :demand_executor_type, :demand_tags,
                        'queued', :queued_at, :queued_at, :unmatched_at)
                    """);
    private static final Sql UPDATE =
            Sql.of(
                    """
                    update run set
                        state = :state, reason = :reason, since = :since, deadline = :deadline,
                        runner = :runner, fence = coalesce(:fence, fence),
                        lease_until = :lease_until, claimed_at = :claimed_at,
                        started_at = :started_at, ended_at = :ended_at,
                        unmatched_at = :unmatched_at,
                        result_text = :result_text, result_data = :result_data
                    where id = :id
                    """);
    private static final Sql LIST_ALL =
            Sql.of(COLUMNS + "where r.key < :after order by r.key desc limit :max");
    private static final Sql LIST_STATE =
            Sql.of(
                    COLUMNS
                            + """
                            where r.state = :state and r.key < :after
                            order by r.key desc limit :max
                            """);
    private static final Sql LIST_SESSION =
            Sql.of(
                    COLUMNS
                            + """
                            where r.session = :session and r.key < :after
                            and (:states = '' or :states like '%,' || r.state || ',%')
                            order by r.key desc limit :max
                            """);
    private static final Sql LIST_WITHIN =
            Sql.of(
                    COLUMNS
                            + """
                            where s.trail >= :trail and s.trail < :end and r.key < :after
                            and (:states = '' or :states like '%,' || r.state || ',%')
                            order by r.key desc limit :max
                            """);
    private static final Sql HELD_BY =
            Sql.of(COLUMNS + "where r.runner = :runner and r.ended_at is null order by r.key");
    private static final Sql LAST_WITH =
            Sql.of(
                    COLUMNS
                            + """
                            where s.state = :state and r.runner = :runner
                            and r.ended_at is not null
                            and r.key = (select max(key) from run where session = s.key)
                            """);
    private static final Sql LEASED_UNTIL =
            Sql.of(COLUMNS + "where r.lease_until < :moment order by r.lease_until limit :max");
    private static final Sql UNMATCHED_AT =
            Sql.of(
                    COLUMNS
                            + """
                            where r.state = 'queued' and r.unmatched_at <= :moment
                            and s.frozen_at is null
                            order by r.unmatched_at limit :max
                            """);
    private static final Sql FENCE = Sql.of("select fence + 1 from run where id = :id");
    private static final Sql SET_WAITING =
            Sql.of("update run set waiting_until = :until where id = :id");
    private static final Sql BUSY_OF_RUNNER =
            Sql.of(
                    """
                    select count(*) from run where runner = :runner and ended_at is null
                    and (waiting_until is null or waiting_until < :now)
                    """);
    private static final Sql BUSY_WITHIN =
            Sql.of(
                    """
                    select count(*) from run r join session s on s.key = r.session
                    where r.tree = :tree and r.ended_at is null and s.id <> :not
                    and s.trail >= :trail and s.trail < :end
                    and (r.waiting_until is null or r.waiting_until < :now)
                    """);
    private static final Sql EXTEND =
            Sql.of(
                    """
                    update run set lease_until = :until
                    where runner = :runner and ended_at is null and lease_until < :until
                    """);

    private final Sql findAndHold;
    private final Sql liveAndHold;

    SqlRuns(Dialect dialect) {
        this.findAndHold = Sql.of(FIND_TEXT + dialect.heldUntilCommit("r"));
        this.liveAndHold = Sql.of(LIVE_TEXT + dialect.heldUntilCommit("r"));
    }

    @Override
    public Optional<Run> find(RunId id) {
        var sql = Tx.isWriting() ? findAndHold : FIND;
        return Tx.call(sql).set("id", id.value()).first(SqlRuns::run);
    }

    @Override
    public Optional<Run> liveOf(SessionId session) {
        var live = Tx.isWriting() ? liveAndHold : LIVE_OF;
        return SqlSessions.keys(session)
                .flatMap(k -> Tx.call(live).set("session", k.key()).first(SqlRuns::run));
    }

    @Override
    public Optional<Run> latestOf(SessionId session) {
        return SqlSessions.keys(session)
                .flatMap(k -> Tx.call(LATEST_OF).set("session", k.key()).first(SqlRuns::run));
    }

    @Override
    public void add(Run r) {
        var keys = SqlSessions.keysOf(r.session());
        Tx.call(INSERT)
                .set("id", r.id().value())
                .set("session", keys.key())
                .set("tree", keys.tree())
                .set("type", word(r.type()))
                .set("mode", word(r.mode()))
                .set("blueprint", r.task().blueprint())
                .set("definition", r.task().definition().value())
                .set("parameters", r.task().parameters().value())
                .set("scope", r.task().scope().value())
                .set("project_dir", r.task().projectDir())
                .set("demand_hostname", r.demands().hostname())
                .set("demand_project_dir", r.demands().projectDir())
                .set("demand_executor_profile", r.demands().executorProfile())
                .set("demand_executor_type", r.demands().executorType())
                .set("demand_tags", Lines.joined(r.demands().tags()))
                .set("queued_at", r.marks().queued())
                .set("unmatched_at", r.marks().unmatchedAt())
                .update();
    }

    @Override
    public void save(Run r) {
        var lease = r.state().held();
        var end = r.state() instanceof RunState.Ended e ? e : null;
        var holder = lease != null ? lease.holder() : end != null ? end.by() : null;
        var deadline = r.state() instanceof RunState.Stopping s ? s.deadline() : null;
        var data = r.result().data();
        Tx.call(UPDATE)
                .set("id", r.id().value())
                .set("state", RunWord.of(r.state()))
                .set("reason", end == null ? null : end.reason())
                .set("since", r.state().since())
                .set("deadline", deadline)
                .set("runner", holder == null ? null : holder.runner().value())
                .setNumber("fence", holder == null ? null : holder.fence())
                .set("lease_until", lease == null ? null : lease.until())
                .set("claimed_at", r.marks().claimed())
                .set("started_at", r.marks().started())
                .set("ended_at", r.marks().ended())
                .set("unmatched_at", r.marks().unmatchedAt())
                .set("result_text", r.result().text())
                .set("result_data", data == null ? null : data.value())
                .update();
    }

    @Override
    public Slice<Run> list(RunFilter filter, Cursor cursor) {
        long after = cursor.after() == null ? Long.MAX_VALUE : Keyset.number(cursor.after());
        var found = new ArrayList<Keyed>();
        if (filter.session() != null) {
            var keys = SqlSessions.keys(filter.session());
            keys.ifPresent(k ->
                    found.addAll(
                            page(
                                    Tx.call(LIST_SESSION)
                                            .set("session", k.key())
                                            .set("states", joined(filter)),
                                    after,
                                    cursor)));
        } else if (filter.within() != null) {
            var keys = SqlSessions.keys(filter.within());
            keys.ifPresent(k ->
                    found.addAll(
                            page(
                                    Tx.call(LIST_WITHIN)
                                            .set("trail", k.trail())
                                            .set("end", Trail.end(k.trail()))
                                            .set("states", joined(filter)),
                                    after,
                                    cursor)));
        } else if (filter.states().isEmpty()) {
            found.addAll(page(Tx.call(LIST_ALL), after, cursor));
        } else {
            for (var state : filter.states()) {
                found.addAll(page(Tx.call(LIST_STATE).set("state", state), after, cursor));
            }
        }
        found.sort(Comparator.comparingLong(Keyed::key).reversed());
        return Keyset.slice(found, cursor.max(), k -> Long.toString(k.key()));
    }

    private static List<Keyed> page(Call call, long after, Cursor cursor) {
        return call.set("after", after).set("max", cursor.max() + 1L).list(SqlRuns::keyed);
    }

    private static String joined(RunFilter filter) {
        return filter.states().isEmpty() ? "" : "," + String.join(",", filter.states()) + ",";
    }

    @Override
    public Slice<Run> queued(Cursor cursor) {
        long after = cursor.after() == null ? 0 : Keyset.number(cursor.after());
        return Keyset.slice(
                page(Tx.call(QUEUED), after, cursor), cursor.max(), k -> Long.toString(k.key()));
    }

    @Override
    public List<Run> heldBy(RunnerId runner) {
        return Tx.call(HELD_BY).set("runner", runner.value()).list(SqlRuns::run);
    }

    @Override
    public List<Run> lastWith(RunnerId runner, String sessionState) {
        return Tx.call(LAST_WITH)
                .set("runner", runner.value())
                .set("state", sessionState)
                .list(SqlRuns::run);
    }

    @Override
    public List<Run> leasedUntil(Instant moment, int max) {
        return Tx.call(LEASED_UNTIL).set("moment", moment).set("max", max).list(SqlRuns::run);
    }

    @Override
    public List<Run> unmatchedAt(Instant moment, int max) {
        return Tx.call(UNMATCHED_AT).set("moment", moment).set("max", max).list(SqlRuns::run);
    }

    @Override
    public long nextFence(RunId id) {
        return Tx.call(FENCE).set("id", id.value()).number();
    }

    @Override
    public void setWaiting(RunId id, @Nullable Instant until) {
        Tx.call(SET_WAITING).set("id", id.value()).set("until", until).update();
    }

    @Override
    public int countBusy(RunnerId runner, Instant now) {
        return (int) Tx.call(BUSY_OF_RUNNER).set("runner", runner.value()).set("now", now).number();
    }

    @Override
    public int countBusy(SessionId top, @Nullable SessionId not, Instant now) {
        var keys = SqlSessions.keysOf(top);
        return (int)
                Tx.call(BUSY_WITHIN)
                        .set("tree", keys.tree())
                        .set("trail", keys.trail())
                        .set("end", Trail.end(keys.trail()))
                        .set("not", not == null ? "" : not.value())
                        .set("now", now)
                        .number();
    }

    @Override
    public int extendLeases(RunnerId holder, Instant until) {
        return Tx.call(EXTEND).set("runner", holder.value()).set("until", until).update();
    }

    private record Keyed(Run value, long key) implements Keyset.Item<Run> {}

    private static Keyed keyed(Row row) throws SQLException {
        return new Keyed(run(row), row.number("key"));
    }

    private static Run run(Row row) throws SQLException {
        var data = row.textOrNull("result_data");
        return new Run(
                new RunId(row.text("id")),
                new SessionId(row.text("session_id")),
                RunType.valueOf(row.text("type").toUpperCase(Locale.ROOT)),
                Mode.valueOf(row.text("mode").toUpperCase(Locale.ROOT)),
                new Task(
                        row.textOrNull("blueprint"),
                        new JsonText(row.text("definition")),
                        new JsonText(row.text("parameters")),
                        new JsonText(row.text("scope")),
                        row.textOrNull("project_dir")),
                new Demands(
                        row.textOrNull("demand_hostname"),
                        row.textOrNull("demand_project_dir"),
                        row.textOrNull("demand_executor_profile"),
                        row.textOrNull("demand_executor_type"),
                        Lines.split(row.text("demand_tags"))),
                state(row),
                new Run.Marks(
                        row.instant("queued_at"),
                        row.instantOrNull("claimed_at"),
                        row.instantOrNull("started_at"),
                        row.instantOrNull("ended_at"),
                        row.instant("unmatched_at")),
                new Result(
                        row.textOrNull("result_text"), data == null ? null : new JsonText(data)));
    }

    private static RunState state(Row row) throws SQLException {
        var since = row.instant("since");
        return switch (row.text("state")) {
            case "queued" -> new RunState.Queued(since);
            case "claimed" -> new RunState.Claimed(lease(row), since);
            case "running" -> new RunState.Running(lease(row), since);
            case "stopping" -> new RunState.Stopping(lease(row), since, row.instant("deadline"));
            case "finished" -> new RunState.Finished(since, row.text("reason"), by(row));
            case "failed" -> new RunState.Failed(since, row.text("reason"), by(row));
            case "stopped" -> new RunState.Stopped(since, row.text("reason"), by(row));
            case "timed_out" -> new RunState.TimedOut(since, row.text("reason"), by(row));
            case "lost" -> new RunState.Lost(since, row.text("reason"), by(row));
            case String word -> throw new IllegalStateException("unknown run state " + word);
        };
    }

    private static Lease lease(Row row) throws SQLException {
        var holder = new Holder(new RunnerId(row.text("runner")), row.number("fence"));
        return new Lease(holder, row.instant("lease_until"));
    }

    private static @Nullable Holder by(Row row) throws SQLException {
        var runner = row.textOrNull("runner");
        return runner == null ? null : new Holder(new RunnerId(runner), row.number("fence"));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
