package dev.coppice.store.removal;

import dev.coppice.kernel.SessionId;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.TreeRows;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.SqlDialect;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.schema.Tables;
import dev.coppice.store.session.SessionRow;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rows of a tree, session by session. Both indexes have the order of the result, so the cost of
 * a page depends on its size and not on the size of the tree.
 */
public final class SqlTreeRows implements TreeRows {
    private static final Sql HAS_RUN = Sql.of("select count(*) from run where id = :id");

    /** Without a removal: all visible sessions, also those that a removal covers. */
    private static final String SCOPE = scope("s");

    private static final Sql CONTINUES =
            Sql.of(
                    """
                    insert into relationship (
                        parent_id, child_id, type, reason, evidence, confidence, created_at)
                    select s.id, :copy, 'continuation', 'continuation', 'declared', 100, :at
                    from session s where s.id = :copied and s.id <> :copy
                    on conflict (parent_id, child_id) do nothing
                    """);
    private static final Sql REMOVAL = Sql.of("select key from removal where id = :id");

    /**
     * The way from a session to the rows of a table that does not simply refer to one: the columns
     * that a backup adds to those of the table, and the join. The first of these columns orders the
     * rows of a session.
     */
    private record Found(String columns, String join) {}

    private static final Map<String, Found> SPECIAL =
            Map.of(
                    // Leaves out pairs without further data: a trigger writes them again.
                    "relationship",
                    new Found(
                            "r.key as at_key, s.id as session_id",
                            """
                            join relationship r on (r.child_id = s.id or (
                                r.parent_id = s.id and r.type in ('sibling', 'continuation')))
                            and r.key > :after where r.set_aside = 0
                            and (r.evidence is not null or r.metadata is not null
                                or r.completed_at is not null) and
                            """),
                    "wave_plan",
                    new Found(
                            """
                            r.key as at_key, s.id as session_id, w.id as wave_id,
                            r.session_id as member_id
                            """,
                            """
                            join wave w on w.session = s.key
                            join wave_plan r on r.wave = w.key and r.key > :after where
                            """),
                    "any_session",
                    new Found(
                            "s.key as at_key, p.id as parent_id, " + SessionRow.DETACHED_FROM,
                            """
                            left join any_session p on p.key = s.parent where s.key > :after and
                            """),
                    "event",
                    new Found(
                            "r.number as at_key, s.id as session_id",
                            """
                            join event r on r.session_id = s.id and r.number > :after
                            where r.type not in (
                                'removal_moved', 'session_deleted', 'session_restored') and
                            """),
                    "child_join_member",
                    new Found(
                            """
                            j.key * 1000000 + r.place as at_key, s.id as session_id,
                            j.id as join_id
                            """,
                            """
                            join child_join j on j.session = s.key
                            join child_join_member r on r.child_join = j.key
                            where j.key * 1000000 + r.place > :after and
                            """),
                    "tree_stop_member",
                    new Found(
                            """
                            t.key * 10000000000 + r.session as at_key, s.id as session_id,
                            t.id as stop_id, x.id as member_id
                            """,
                            """
                            join tree_stop t on t.session = s.key
                            join tree_stop_member r on r.tree_stop = t.key
                            join any_session x on x.key = r.session
                                and x.trail >= s.trail and x.trail < s.trail || '~' and
                            """
                                    + scope("x")
                                    + """
                                    where t.key * 10000000000 + r.session > :after and
                                    """),
                    "audit",
                    new Found(
                            "r.number as at_key",
                            "join audit r on r.session_id = s.id and r.number > :after where "));

    private final List<Table> all;
    private final Map<Table, Sql> ofOne = new HashMap<>();
    private final Map<Table, Sql> ofRest = new HashMap<>();
    private final TreePuts puts;

    public SqlTreeRows(SqlDialect dialect, Tables tables) {
        this.puts = new TreePuts(dialect, tables);
        this.all = tables.backups().keySet().stream().map(Table::new).toList();
        tables.backups()
                .forEach((name, table) -> {
                    var where = rows(tables, table) + SCOPE;
                    var one = "and s.trail = :from order by at_key limit :max";
                    var rest =
                            "and s.trail >= :from and s.trail < :end"
                                    + " order by s.trail, at_key limit :max";
                    ofOne.put(new Table(name), Sql.of(where + one));
                    ofRest.put(new Table(name), Sql.of(where + rest));
                });
    }

    private static String rows(Tables tables, String table) {
        var special = SPECIAL.get(table);
        var found = special == null ? bySession(table, tables.key(table)) : special;
        var own = tables.backedUp(table, table.equals("any_session") ? "s" : "r");
        return "select s.trail as at_trail, %s%s from any_session s %s "
                .formatted(found.columns(), own.isEmpty() ? "" : ", " + own, found.join());
    }

    private static Found bySession(String table, String key) {
        return new Found(
                "r.%s as at_key, s.id as session_id".formatted(key),
                "join %1$s r on r.session = s.key and r.%2$s > :after where "
                        .formatted(table, key));
    }

    @Override
    public List<Table> tables() {
        return all;
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
    public void continues(SessionId copied, SessionId copy, Instant at) {
        Tx.call(CONTINUES)
                .set("copied", copied.value())
                .set("copy", copy.value())
                .set("at", at)
                .update();
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
