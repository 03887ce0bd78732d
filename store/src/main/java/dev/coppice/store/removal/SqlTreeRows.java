package dev.coppice.store.removal;

import static java.util.Map.entry;

import dev.coppice.removal.RemovalId;
import dev.coppice.removal.TreeRows;
import dev.coppice.store.engine.Dialect;
import dev.coppice.store.engine.Keys;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.schema.Tables;
import dev.coppice.store.session.SessionRow;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rows of a tree, session by session. Both indexes have the order of the result, so the cost of
 * a page depends on its size and not on the size of the tree.
 */
public final class SqlTreeRows implements TreeRows {
    private static final Sql HAS_RUN = Sql.of("select count(*) from run where id = :id");

    /** Without a removal: all visible sessions, even those a removal covers. */
    private static final String SCOPE = scope("s");

    private static final Sql REMOVAL = Sql.of("select key from removal where id = :id");

    /** The database table of each backup table. */
    private static final Map<Table, String> NAMES =
            new EnumMap<>(
                    Map.ofEntries(
                            entry(Table.SESSIONS, "any_session"),
                            entry(Table.RUNS, "run"),
                            entry(Table.EVENTS, "event"),
                            entry(Table.CALLBACKS, "callback"),
                            entry(Table.JOINS, "child_join"),
                            entry(Table.JOIN_MEMBERS, "child_join_member"),
                            entry(Table.STOPS, "tree_stop"),
                            entry(Table.STOP_MEMBERS, "tree_stop_member"),
                            entry(Table.BUDGETS, "budget"),
                            entry(Table.SPENT, "spent"),
                            entry(Table.AUDIT, "audit")));

    /**
     * The key that orders the rows of a session, and the columns that a backup adds to the table's
     * own.
     */
    private static String keyed(Table table) {
        return switch (table) {
            case SESSIONS -> "s.key as at_key, p.id as parent_id, " + SessionRow.DETACHED_FROM;
            case RUNS, CALLBACKS, JOINS, STOPS -> "r.key as at_key, s.id as session_id";
            case EVENTS -> "r.number as at_key, s.id as session_id";
            case JOIN_MEMBERS ->
                    """
                    j.key * 1000000 + r.place as at_key, s.id as session_id, j.id as join_id
                    """;
            case STOP_MEMBERS ->
                    """
                    t.key * 10000000000 + r.session as at_key, s.id as session_id,
                    t.id as stop_id, x.id as member_id
                    """;
            case BUDGETS, SPENT -> "r.session as at_key, s.id as session_id";
            case AUDIT -> "r.number as at_key";
        };
    }

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
                                    join child_join j on j.session = s.key
                                    join child_join_member r on r.child_join = j.key
                                    where j.key * 1000000 + r.place > :after and
                                    """),
                            entry(
                                    Table.STOPS,
                                    "join tree_stop r on r.session = s.key and r.key > :after where"
                                            + " "),
                            entry(
                                    Table.STOP_MEMBERS,
                                    """
                                    join tree_stop t on t.session = s.key
                                    join tree_stop_member r on r.tree_stop = t.key
                                    join any_session x on x.key = r.session
                                        and x.trail >= s.trail and x.trail < s.trail || '~'
                                        and\
                                    """
                                            + scope("x")
                                            + """
                                            where t.key * 10000000000 + r.session > :after and
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

    public SqlTreeRows(Dialect dialect, Tables tables) {
        this.puts = new TreePuts(dialect, tables);
        for (var table : Table.values()) {
            var select = "select s.trail as at_trail, " + fields(tables, table) + " from ";
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

    private static String fields(Tables tables, Table table) {
        var own = tables.backedUp(named(table), table == Table.SESSIONS ? "s" : "r");
        return own.isEmpty() ? keyed(table) : keyed(table) + ", " + own;
    }

    static String named(Table table) {
        return java.util.Objects.requireNonNull(NAMES.get(table));
    }

    private static String scope(String session) {
        return """
        (%1$s.removal = :removal or (:removal = 0 and (%1$s.removal is null or not exists (
            select 1 from removal m where m.key = %1$s.removal and m.out_of_sight = 1))))
        """
                .formatted(session);
    }

    private record Read(String trail, long key, Row row) {}

    /** Reads the rest of the session at which the last page ended, then the sessions after it. */
    @Override
    public Page page(Of of, Table table, At after, int max) {
        var top = Keys.of(of.top()).trail();
        long removal = removal(of);
        var from = after.trail().isEmpty() ? top : after.trail();
        var rows = new ArrayList<Read>();
        // Sorts after this session's own trail and before those of its children.
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

    private static Read read(dev.coppice.store.engine.Row row) throws SQLException {
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
