package dev.coppice.store;

import dev.coppice.budget.Amounts;
import dev.coppice.budget.Amounts.Kind;
import dev.coppice.budget.Budget;
import dev.coppice.budget.Budgets;
import dev.coppice.kernel.SessionId;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.schema.Tables;
import dev.coppice.word.BudgetPolicy;

import java.sql.SQLException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Stores budgets and spending. */
final class SqlBudgets implements Budgets {
    private static final String UP =
            """
            with recursive up (k, above) as (
                select key, parent from session where key = :key
                union all
                select a.key, a.parent from session a join up on a.key = up.above)
            """;
    private static final String BUDGETS =
            "select b.*, s.id as session_id from budget b join session s on s.key = b.session ";
    private static final Sql BUDGET_OF = Sql.of(BUDGETS + "where b.session = :key");
    private static final Sql BUDGETS_ABOVE =
            Sql.of(UP + BUDGETS + "where b.session in (select k from up) order by s.depth desc");
    private static final Sql RUNNING_OUT =
            Sql.of(
                    BUDGETS
                            + """
                            where b.wall_millis_max is not null and b.warned <> 'spent'
                            and exists (
                                select 1 from run r join session d on d.key = r.session
                                where r.tree = s.tree and r.state in ('running', 'stopping')
                                and r.ended_at is null and r.started_at is not null
                                and d.trail >= s.trail and d.trail < s.trail || '~')
                            order by b.session limit :max
                            """);
    private static final Sql SAVE = Tables.upsert("budget", "session");
    private static final Sql REMOVE = Sql.of("delete from budget where session = :key");
    private static final Sql ADD =
            Sql.of(
                    UP
                            + """
                            insert into spent (
                                session, own_tokens, own_cost_micros, own_wall_millis,
                                tokens, cost_micros, wall_millis)
                            select k,
                                case when k = :key then :tokens else 0 end,
                                case when k = :key then :cost else 0 end,
                                case when k = :key then :wall else 0 end,
                                :tokens, :cost, :wall
                            from up where true
                            on conflict (session) do update set
                                own_tokens = case
                                    when spent.own_tokens > :most - excluded.own_tokens then :most
                                    else spent.own_tokens + excluded.own_tokens end,
                                own_cost_micros = case
                                    when spent.own_cost_micros > :most - excluded.own_cost_micros
                                    then :most
                                    else spent.own_cost_micros + excluded.own_cost_micros end,
                                own_wall_millis = spent.own_wall_millis + excluded.own_wall_millis,
                                tokens = case
                                    when spent.tokens > :most - excluded.tokens then :most
                                    else spent.tokens + excluded.tokens end,
                                cost_micros = case
                                    when spent.cost_micros > :most - excluded.cost_micros then :most
                                    else spent.cost_micros + excluded.cost_micros end,
                                wall_millis = spent.wall_millis + excluded.wall_millis
                            """);
    private static final Sql OWN =
            Sql.of(
                    """
                    select own_tokens as tokens, own_cost_micros as cost_micros,
                        own_wall_millis as wall_millis
                    from spent where session = :key
                    """);
    private static final Sql TOTAL =
            Sql.of("select tokens, cost_micros, wall_millis from spent where session = :key");
    private static final Sql RUNNING =
            Sql.of(
                    """
                    select coalesce(sum(coalesce(s.frozen_at, :now) - r.started_at), 0) from run r
                    join session s on s.key = r.session
                    where r.tree = :tree and r.state in ('running', 'stopping')
                    and r.ended_at is null and r.started_at is not null
                    and s.trail >= :trail and s.trail < :end
                    """);
    private static final Sql OWN_RUNNING =
            Sql.of(
                    """
                    select coalesce(sum(coalesce(s.frozen_at, :now) - r.started_at), 0) from run r
                    join session s on s.key = r.session
                    where r.session = :key and r.ended_at is null and r.started_at is not null
                    """);
    private static final Sql COUNT_RUNS =
            Sql.of(
                    """
                    select count(*) from run r join any_session s on s.key = r.session
                    where s.trail >= :trail and s.trail < :end
                    """);

    /** Hidden sessions count, too: they have used the budget. */
    private static final Sql COUNT_SESSIONS =
            Sql.of("select count(*) from any_session where trail >= :trail and trail < :end");

    private static final Sql COUNT_OWN_RUNS =
            Sql.of("select count(*) from run where session = :key");

    @Override
    public Optional<Budget> budgetOf(SessionId session) {
        return Keys.find(session)
                .flatMap(k -> Tx.call(BUDGET_OF).set("key", k.key()).first(SqlBudgets::budget));
    }

    @Override
    public List<Budget> budgetsAbove(SessionId session) {
        return Keys.find(session)
                .map(k -> Tx.call(BUDGETS_ABOVE).set("key", k.key()).list(SqlBudgets::budget))
                .orElse(List.of());
    }

    @Override
    public List<Budget> runningOut(int max) {
        return Tx.call(RUNNING_OUT).set("max", max).list(SqlBudgets::budget);
    }

    @Override
    public void save(Budget b) {
        Tx.call(SAVE)
                .set("session", Keys.of(b.session()).key())
                .setNumber("tokens_max", b.max().tokens())
                .setNumber("cost_micros_max", b.max().costMicros())
                .setNumber("wall_millis_max", b.max().wallMillis())
                .setNumber("runs_max", b.max().runs())
                .setNumber("sessions_max", b.max().sessions())
                .set("policy", b.policy())
                .set("warned", b.warned(Kind.WALL_MILLIS))
                .set("told", told(b))
                .update();
    }

    @Override
    public void remove(SessionId session) {
        Tx.call(REMOVE).set("key", Keys.of(session).key()).update();
    }

    @Override
    public void add(SessionId session, Amounts spent) {
        Tx.call(ADD)
                .set("key", Keys.of(session).key())
                .set("tokens", counted(spent.orZero(Kind.TOKENS)))
                .set("cost", counted(spent.orZero(Kind.COST_MICROS)))
                .set("most", COUNTED_MAX)
                .set("wall", spent.orZero(Kind.WALL_MILLIS))
                .update();
    }

    private static long counted(long amount) {
        return Math.clamp(amount, -COUNTED_MAX, COUNTED_MAX);
    }

    @Override
    public Amounts own(SessionId session, Instant now) {
        long key = Keys.of(session).key();
        long running = Tx.call(OWN_RUNNING).set("key", key).set("now", now).number();
        return amounts(
                Tx.call(OWN).set("key", key),
                running,
                Tx.call(COUNT_OWN_RUNS).set("key", key).number(),
                1);
    }

    /** Counts nothing that the budget does not limit: a count reads each run of the tree. */
    @Override
    public Amounts used(Budget budget, Instant now) {
        var keys = Keys.of(budget.session());
        var max = budget.max();
        return amounts(
                Tx.call(TOTAL).set("key", keys.key()),
                max.wallMillis() == null ? 0 : running(keys, now),
                max.runs() == null ? 0 : count(COUNT_RUNS, keys),
                max.sessions() == null ? 0 : count(COUNT_SESSIONS, keys));
    }

    @Override
    public Amounts total(SessionId session, Instant now) {
        var keys = Keys.of(session);
        return amounts(
                Tx.call(TOTAL).set("key", keys.key()),
                running(keys, now),
                count(COUNT_RUNS, keys),
                count(COUNT_SESSIONS, keys));
    }

    private static long running(Keys top, Instant now) {
        return Tx.call(RUNNING)
                .set("tree", top.tree())
                .set("trail", top.trail())
                .set("end", Trail.end(top.trail()))
                .set("now", now)
                .number();
    }

    private static long count(Sql sql, Keys top) {
        return Tx.call(sql).set("trail", top.trail()).set("end", Trail.end(top.trail())).number();
    }

    private static Amounts amounts(Call call, long running, long runs, long sessions) {
        return call.first(row ->
                        new Amounts(
                                row.number("tokens"),
                                row.number("cost_micros"),
                                row.number("wall_millis") + running,
                                runs,
                                sessions))
                .orElse(new Amounts(0L, 0L, running, runs, sessions));
    }

    private static Budget budget(Row row) throws SQLException {
        return new Budget(
                new SessionId(row.text("session_id")),
                new Amounts(
                        row.numberOrNull("tokens_max"),
                        row.numberOrNull("cost_micros_max"),
                        row.numberOrNull("wall_millis_max"),
                        row.numberOrNull("runs_max"),
                        row.numberOrNull("sessions_max")),
                row.constant(BudgetPolicy.class, "policy"),
                told(row.text("told")));
    }

    /**
     * Formats warnings as {@code tokens=nearly,runs=spent}. The {@code warned} column repeats the
     * one for wall time, for an index.
     */
    private static String told(Budget budget) {
        return new TreeMap<>(budget.told())
                .entrySet().stream()
                        .map(e -> (e.getKey() + "=" + e.getValue()).toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(","));
    }

    private static Map<Kind, Budget.Warned> told(String text) {
        var told = new EnumMap<Kind, Budget.Warned>(Kind.class);
        for (var word : text.toUpperCase(Locale.ROOT).split(",", -1)) {
            int at = word.indexOf('=');
            if (at < 0) continue;
            told.put(
                    Kind.valueOf(word.substring(0, at)),
                    Budget.Warned.valueOf(word.substring(at + 1)));
        }
        return told;
    }
}
