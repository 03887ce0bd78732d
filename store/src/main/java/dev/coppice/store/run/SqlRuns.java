package dev.coppice.store.run;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.run.Holder;
import dev.coppice.run.Lane;
import dev.coppice.run.Run;
import dev.coppice.run.RunFilter;
import dev.coppice.run.RunState;
import dev.coppice.run.RunWord;
import dev.coppice.run.Runs;
import dev.coppice.run.Task;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Keyset;
import dev.coppice.store.engine.Lines;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.schema.Tables;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Stores runs. */
public final class SqlRuns implements Runs {

    private static final String FIND_TEXT = RunRow.COLUMNS + "where r.id = :id";
    private static final Sql FIND = Sql.of(FIND_TEXT);
    private static final String LIVE_TEXT =
            RunRow.COLUMNS + "where r.session = :session and r.ended_at is null";
    private static final Sql LIVE_OF = Sql.of(LIVE_TEXT);
    private static final Sql INSERT =
            Tables.insert("run", "waiting_until", "heard_at", "output_bytes", "hook", "follower");
    private static final Sql UPDATE =
            Sql.of(
                    """
                    update run set
                        state = :state, aside = 0, reason = :reason, since = :since,
                        deadline = :deadline, stop_reason = :stop_reason,
                        runner = :runner, fence = coalesce(:fence, fence),
                        lease_until = :lease_until, claimed_at = :claimed_at,
                        started_at = :started_at, ended_at = :ended_at,
                        unmatched_at = :unmatched_at,
                        result_text = :result_text, result_data = :result_data
                    where id = :id
                    """);
    private static final Sql LIST_ALL =
            Sql.of(RunRow.COLUMNS + "where r.key < :after order by r.key desc limit :max");
    private static final Sql LIST_STATE =
            Sql.of(
                    RunRow.COLUMNS
                            + """
                            where r.state = :state and r.key < :after
                            order by r.key desc limit :max
                            """);
    private static final Sql LIST_SESSION =
            Sql.of(
                    RunRow.COLUMNS
                            + """
                            where r.session = :session and r.key < :after
                            and (:states = '' or :states like '%,' || r.state || ',%')
                            order by r.key desc limit :max
                            """);
    private static final Sql LIST_WITHIN =
            Sql.of(
                    RunRow.COLUMNS
                            + """
                            where s.trail >= :trail and s.trail < :end and r.key < :after
                            and (:states = '' or :states like '%,' || r.state || ',%')
                            order by r.key desc limit :max
                            """);
    private static final Sql HELD_BY =
            Sql.of(
                    RunRow.COLUMNS
                            + "where r.runner = :runner and r.ended_at is null order by r.key");
    private static final Sql HELD_IN =
            Sql.of(
                    RunRow.COLUMNS
                            + """
                            where r.runner = :runner and r.state = :state and r.ended_at is null
                            order by r.key
                            """);
    private static final Sql LEASED_UNTIL =
            Sql.of(
                    RunRow.COLUMNS
                            + "where r.lease_until < :moment order by r.lease_until limit :max");
    private static final Sql UNMATCHED_AT =
            Sql.of(
                    RunRow.COLUMNS
                            + """
                            where r.state = 'queued' and r.unmatched_at <= :moment
                            and s.frozen_at is null and not exists (
                                select 1 from account_hold h
                                where h.account = r.account and h.until_at >= :held)
                            order by r.unmatched_at limit :max
                            """);
    private static final Sql SET_WAITING =
            Sql.of("update run set waiting_until = :until where id = :id");
    private static final Sql EXTEND =
            Sql.of(
                    """
                    update run set lease_until = :until
                    where runner = :runner and ended_at is null and lease_until < :until
                    """);

    private static final Sql SET_OUTPUT =
            Sql.of(
                    """
                    update run set output_bytes = :bytes
                    where id = :id and coalesce(output_bytes, 0) <> :bytes
                    """);

    @Override
    public Optional<Run> find(RunId id) {
        return Tx.call(FIND).set("id", id.value()).first(RunRow::run);
    }

    @Override
    public Optional<Run> liveOf(SessionId session) {
        return Keys.find(session)
                .flatMap(k -> Tx.call(LIVE_OF).set("session", k.key()).first(RunRow::run));
    }

    @Override
    public Optional<Run> latestOf(SessionId session) {
        return LastRuns.of(session);
    }

    @Override
    public void add(Run r) {
        var keys = Keys.of(r.session());
        var hooks = r.task().terms().hooks();
        changeable(Tx.call(INSERT), r)
                .set("session", keys.key())
                .set("tree", keys.tree())
                .set("type", r.type())
                .set("mode", r.mode())
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
                .setNumber("silence_ms", millis(r.task().terms().silence()))
                .setNumber("lifetime_ms", millis(r.task().terms().lifetime()))
                .set("account", r.task().terms().account())
                .set("hooks", hooks == Task.Hooks.NONE ? null : word(hooks))
                .update();
    }

    private static @Nullable Long millis(@Nullable Duration length) {
        return length == null ? null : Long.valueOf(length.toMillis());
    }

    @Override
    public void save(Run r) {
        var held = heldBy(r);
        changeable(Tx.call(UPDATE), r)
                .setNumber("fence", held == null ? null : held.fence())
                .update();
    }

    private static @Nullable Holder heldBy(Run r) {
        var lease = r.state().held();
        if (lease != null) return lease.holder();
        return r.state() instanceof RunState.Ended e ? e.by() : null;
    }

    private static Call changeable(Call call, Run r) {
        var lease = r.state().held();
        var holder = heldBy(r);
        var end = r.state() instanceof RunState.Ended e ? e : null;
        var stopping = r.state() instanceof RunState.Stopping s ? s : null;
        var data = r.result().data();
        return call.set("id", r.id().value())
                .set("state", RunWord.of(r.state()))
                .set("reason", end == null ? null : end.reason())
                .set("since", r.state().since())
                .set("deadline", stopping == null ? null : stopping.deadline())
                .set("stop_reason", stopping == null ? null : stopping.reason())
                .set("runner", holder == null ? null : holder.runner().value())
                .set("lease_until", lease == null ? null : lease.until())
                .set("claimed_at", r.marks().claimed())
                .set("started_at", r.marks().started())
                .set("ended_at", r.marks().ended())
                .set("unmatched_at", r.marks().unmatchedAt())
                .set("result_text", r.result().text())
                .set("result_data", data == null ? null : data.value());
    }

    @Override
    public boolean setOutput(RunId id, long bytes) {
        return Tx.call(SET_OUTPUT).set("id", id.value()).set("bytes", bytes).update() > 0;
    }

    @Override
    public Slice<Run> list(RunFilter filter, Cursor cursor) {
        long after = cursor.after() == null ? Long.MAX_VALUE : Keyset.number(cursor.after());
        var pages = new ArrayList<Call.Page<Keyed>>();
        if (filter.session() != null) {
            var keys = Keys.find(filter.session());
            keys.ifPresent(k ->
                    pages.add(
                            page(
                                    Tx.call(LIST_SESSION)
                                            .set("session", k.key())
                                            .set("states", joined(filter)),
                                    after,
                                    cursor)));
        } else if (filter.within() != null) {
            var keys = Keys.find(filter.within());
            keys.ifPresent(k ->
                    pages.add(
                            page(
                                    Tx.call(LIST_WITHIN)
                                            .set("trail", k.trail())
                                            .set("end", Trail.end(k.trail()))
                                            .set("states", joined(filter)),
                                    after,
                                    cursor)));
        } else if (filter.states().isEmpty()) {
            pages.add(page(Tx.call(LIST_ALL), after, cursor));
        } else {
            for (var state : filter.states()) {
                pages.add(page(Tx.call(LIST_STATE).set("state", state), after, cursor));
            }
        }
        return Keyset.slice(
                Call.Page.newestFirst(pages, Keyed::key),
                cursor.max(),
                k -> Long.toString(k.key()));
    }

    private static Call.Page<Keyed> page(Call call, long after, Cursor cursor) {
        return call.set("after", after)
                .set("max", cursor.max() + 1L)
                .page(cursor.max() + 1, SqlRuns::keyed);
    }

    private static String joined(RunFilter filter) {
        return filter.states().isEmpty() ? "" : "," + String.join(",", filter.states()) + ",";
    }

    @Override
    public List<Lane> lanes() {
        return SqlLanes.all();
    }

    @Override
    public Optional<Lane.First> firstIn(Lane lane, long after) {
        return SqlLanes.firstIn(lane, after);
    }

    @Override
    public int countIn(Lane lane, int max) {
        return SqlLanes.countIn(lane, max);
    }

    @Override
    public void setAside(SessionId top, SessionId one) {
        SqlLanes.setAside(Keys.of(top), Keys.of(one));
    }

    @Override
    public void takeBack(SessionId top) {
        SqlLanes.takeBack(Keys.of(top));
    }

    @Override
    public List<Run> heldBy(RunnerId runner) {
        return Tx.call(HELD_BY).set("runner", runner.value()).list(RunRow::run);
    }

    @Override
    public List<Run> heldBy(RunnerId runner, String state) {
        return Tx.call(HELD_IN).set("runner", runner.value()).set("state", state).list(RunRow::run);
    }

    @Override
    public List<Run> lastWith(RunnerId runner, String sessionState, Instant after) {
        return LastRuns.with(runner, sessionState, after);
    }

    @Override
    public List<Run> leasedUntil(Instant moment, int max) {
        return Tx.call(LEASED_UNTIL).set("moment", moment).set("max", max).list(RunRow::run);
    }

    @Override
    public List<Run> unmatchedAt(Instant moment, int max) {
        return Tx.call(UNMATCHED_AT)
                .set("moment", moment)
                .set("held", moment.minus(AFTER_HOLD))
                .set("max", max)
                .list(RunRow::run);
    }

    @Override
    public List<Run> silentAt(Instant now, int max) {
        return RunTimeouts.silentAt(now, max);
    }

    @Override
    public List<Run> outlivedAt(Instant now, int max) {
        return RunTimeouts.outlivedAt(now, max);
    }

    @Override
    public List<Run> idleOutlivedAt(Instant now, int max) {
        return RunTimeouts.idleOutlivedAt(now, max);
    }

    @Override
    public void extendTimeouts(RunId id, Duration lost, Instant now) {
        RunTimeouts.extendTimeouts(id, lost, now);
    }

    @Override
    public void forgiveSilence(Instant now) {
        RunTimeouts.forgiveSilence(now);
    }

    @Override
    public void setCorrections(RunId id, int count) {
        RunTimeouts.setCorrections(id, count);
    }

    @Override
    public int countAtWorkOn(String account) {
        return RunTimeouts.countAtWorkOn(account);
    }

    @Override
    public void setWaiting(RunId id, @Nullable Instant until) {
        Tx.call(SET_WAITING).set("id", id.value()).set("until", until).update();
    }

    @Override
    public int countBusy(RunnerId runner, Instant now) {
        return BusyRuns.of(runner, now);
    }

    @Override
    public int countBusy(SessionId top, @Nullable SessionId not, Instant now) {
        return BusyRuns.within(Keys.of(top), not, now);
    }

    @Override
    public int extendLeases(RunnerId holder, Instant until) {
        return Tx.call(EXTEND).set("runner", holder.value()).set("until", until).update();
    }

    private record Keyed(Run value, long key) implements Keyset.Item<Run> {}

    private static Keyed keyed(Row row) throws SQLException {
        return new Keyed(RunRow.run(row), row.number("key"));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
