package dev.coppice.store;

import static java.util.Map.entry;

import dev.coppice.removal.RemovalId;
import dev.coppice.removal.TreeRows;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rows of a tree, session by session. Both indexes are in the order that is asked for, so a
 * page costs what it holds, however large the tree is.
 */
final class SqlTreeRows implements TreeRows {
    private static final Sql HAS_RUN = Sql.of("select count(*) from run where id = :id");

    /** Of a tree that stays all those who are seen, whatever is about to happen to them. */
    private static final String SCOPE = scope("s");

    private static final Sql REMOVAL = Sql.of("select key from removal where id = :id");

    /** What is read of each table, and in which order. */
    private static final Map<Table, String> COLUMNS =
            new EnumMap<>(
                    Map.ofEntries(
                            entry(
                                    Table.SESSIONS,
                                    """
                                    s.key as at_key, s.id, s.name, s.type, p.id as parent_id,
                                    s.state, s.reason, s.since, s.created_at, s.started_at,
                                    s.resumed_at, s.ended_at, s.project_dir, s.blueprint,
                                    s.source_app, s.metadata, s.executor_session_id,
                                    s.executor_profile, s.hostname, s.on_parent_end, s.quiet_at,
                                    s.frozen_at, s.abandoned_at, s.%s,
                                    """
                                                    .formatted(
                                                            String.join(
                                                                    ", s.", LimitColumns.names()))
                                            + SessionRow.DETACHED_FROM),
                            entry(
                                    Table.RUNS,
                                    """
                                    r.key as at_key, s.id as session_id, r.id, r.type, r.mode,
                                    r.blueprint, r.definition, r.parameters, r.scope,
                                    r.project_dir, r.demand_hostname, r.demand_project_dir,
                                    r.demand_executor_profile, r.demand_executor_type,
                                    r.demand_tags, r.state, r.reason, r.since, r.runner, r.fence,
                                    r.queued_at, r.claimed_at, r.started_at, r.ended_at,
                                    r.unmatched_at, r.result_text, r.result_data, r.silence_ms,
                                    r.lifetime_ms, r.account, r.corrections, r.output_bytes
                                    """),
                            entry(
                                    Table.EVENTS,
                                    """
                                    r.number as at_key, s.id as session_id, r.run, r.type, r.at,
                                    r.body
                                    """),
                            entry(
                                    Table.CALLBACKS,
                                    """
                                    r.key as at_key, s.id as session_id, r.id, r.about,
                                    r.child_id, r.run, r.join_id, r.body, r.sender, r.when_busy,
                                    r.state, r.since, r.due, r.carrier, r.reason, r.tries,
                                    r.created_at
                                    """),
                            entry(
                                    Table.JOINS,
                                    """
                                    r.key as at_key, s.id as session_id, r.id, r.kind, r.wanted,
                                    r.ended, r.finished, r.deadline, r.outcome, r.ended_at
                                    """),
                            entry(
                                    Table.JOIN_MEMBERS,
                                    """
                                    r.key * 1000000 + m.place as at_key, s.id as session_id,
                                    r.id as join_id, m.place, m.child_id, m.run
                                    """),
                            entry(
                                    Table.STOPS,
                                    """
                                    r.key as at_key, s.id as session_id, r.id, r.deadline_ms,
                                    r.reason, r.began_at, r.ended_at
                                    """),
                            entry(
                                    Table.STOP_MEMBERS,
                                    """
                                    r.key * 10000000000 + m.session as at_key, s.id as session_id,
                                    r.id as stop_id, x.id as member_id
                                    """),
                            entry(
                                    Table.BUDGETS,
                                    """
                                    r.session as at_key, s.id as session_id, r.tokens_max,
                                    r.cost_micros_max, r.wall_millis_max, r.runs_max,
                                    r.sessions_max, r.policy, r.warned, r.told
                                    """),
                            entry(
                                    Table.SPENT,
                                    """
                                    r.session as at_key, s.id as session_id, r.own_tokens,
                                    r.own_cost_micros, r.own_wall_millis, r.tokens, r.cost_micros,
                                    r.wall_millis
                                    """),
                            entry(
                                    Table.AUDIT,
                                    """
                                    r.number as at_key, r.session_id, r.number, r.at, r.who,
                                    r.who_right, r.act, r.session_name, r.removal_id, r.detail,
                                    r.allowed, r.reason, r.before_digest, r.after_digest,
                                    r.previous, r.hash
                                    """)));

    private static final Map<Table, String> JOINED =
            new EnumMap<>(
                    Map.ofEntries(
                            entry(
                                    Table.SESSIONS,
                                    "left join any_session p on p.key = s.parent where s.key >"
                                            + " :after and "),
                            entry(
                                    Table.RUNS,
                                    "join run r on r.session = s.key and r.key > :after where "),
                            entry(
                                    Table.EVENTS,
                                    """
                                    join event r on r.session = s.key and r.number > :after
                                    where r.type not in (
                                        'removal_moved', 'session_deleted', 'session_restored') and
                                    """),
                            entry(
                                    Table.CALLBACKS,
                                    "join callback r on r.session = s.key and r.key > :after"
                                            + " where "),
                            entry(
                                    Table.JOINS,
                                    "join child_join r on r.session = s.key and r.key > :after"
                                            + " where "),
                            entry(
                                    Table.JOIN_MEMBERS,
                                    """
                                    join child_join r on r.session = s.key
                                    join child_join_member m on m.child_join = r.key
                                    where r.key * 1000000 + m.place > :after and
                                    """),
                            entry(
                                    Table.STOPS,
                                    "join tree_stop r on r.session = s.key and r.key > :after where"
                                            + " "),
                            entry(
                                    Table.STOP_MEMBERS,
                                    """
                                    join tree_stop r on r.session = s.key
                                    join tree_stop_member m on m.tree_stop = r.key
                                    join any_session x on x.key = m.session
                                        and x.trail >= s.trail and x.trail < s.trail || '~'
                                        and\
                                    """
                                            + scope("x")
                                            + """
                                            where r.key * 10000000000 + m.session > :after and
                                            """),
                            entry(
                                    Table.BUDGETS,
                                    "join budget r on r.session = s.key and r.session > :after"
                                            + " where "),
                            entry(
                                    Table.SPENT,
                                    "join spent r on r.session = s.key and r.session > :after where"
                                            + " "),
                            entry(
                                    Table.AUDIT,
                                    "join audit r on r.session_id = s.id and r.number > :after"
                                            + " where ")));

    private final Map<Table, Sql> ofOne = new EnumMap<>(Table.class);
    private final Map<Table, Sql> ofRest = new EnumMap<>(Table.class);
    private final TreePuts puts;

    SqlTreeRows(Dialect dialect) {
        this.puts = new TreePuts(dialect);
        for (var table : Table.values()) {
            var select = "select s.trail as at_trail, " + COLUMNS.get(table) + " from ";
            var rest = JOINED.get(table) + " " + SCOPE;
            var where = select + "any_session s " + rest;
            ofOne.put(table, Sql.of(where + "and s.trail = :from order by at_key limit :max"));
            ofRest.put(
                    table,
                    Sql.of(
                            where
                                    + "and s.trail >= :from and s.trail < :end"
                                    + " order by s.trail, at_key limit :max"));
        }
    }

    private static String scope(String session) {
        return """
        (%1$s.removal = :removal or (:removal = 0 and (%1$s.removal is null or not exists (
            select 1 from removal m where m.key = %1$s.removal and m.out_of_sight = 1))))
        """
                .formatted(session);
    }

    private record Read(String trail, long key, Row row) {}

    /** First the rest of the session it stopped in, then the sessions after it. */
    @Override
    public Page page(Of of, Table table, At after, int max) {
        var top = SqlSessions.keysOf(of.top()).trail();
        long removal = removal(of);
        var from = after.trail().isEmpty() ? top : after.trail();
        var rows = new ArrayList<Read>();
        // Past every trail of this session, and before those of its children.
        var next = after.trail().isEmpty() ? top : from + "!";
        if (after.key() >= 0) {
            rows.addAll(
                    Tx.call(ofOne(table))
                            .set("removal", removal)
                            .set("after", after.key())
                            .set("from", from)
                            .set("max", max)
                            .list(SqlTreeRows::read));
            if (rows.size() == max) return page(rows, at(rows));
        }
        int left = max - rows.size();
        var more =
                Tx.call(ofRest(table))
                        .set("removal", removal)
                        .set("after", -1)
                        .set("from", next)
                        .set("end", Trail.end(top))
                        .set("max", left)
                        .list(SqlTreeRows::read);
        rows.addAll(more);
        return page(rows, more.size() == left ? at(rows) : null);
    }

    private Sql ofOne(Table table) {
        return java.util.Objects.requireNonNull(ofOne.get(table));
    }

    private Sql ofRest(Table table) {
        return java.util.Objects.requireNonNull(ofRest.get(table));
    }

    private static long removal(Of of) {
        var removal = of.removal();
        return removal == null ? 0 : Tx.call(REMOVAL).set("id", removal.value()).number();
    }

    private static At at(List<Read> rows) {
        var last = rows.getLast();
        return new At(last.trail(), last.key());
    }

    private static Page page(List<Read> rows, @Nullable At next) {
        return new Page(rows.stream().map(Read::row).toList(), next);
    }

    private static Read read(dev.coppice.store.Row row) throws SQLException {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        var names = row.names();
        for (int i = 0; i < names.size(); i++) {
            var name = names.get(i);
            if (!name.startsWith("at_")) fields.put(name, row.value(i + 1));
        }
        return new Read(row.text("at_trail"), row.number("at_key"), new Row(fields));
    }

    @Override
    public boolean hasRun(String id) {
        return Tx.call(HAS_RUN).set("id", id).number() > 0;
    }

    @Override
    public void put(RemovalId into, Table table, List<Row> rows) {
        puts.put(into, table, rows);
    }
}
