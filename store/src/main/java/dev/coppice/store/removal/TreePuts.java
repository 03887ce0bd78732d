package dev.coppice.store.removal;

import dev.coppice.kernel.SessionId;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.TreeRows;
import dev.coppice.removal.TreeRows.Table;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.SqlDialect;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.schema.Tables;
import dev.coppice.store.session.HiddenNames;
import dev.coppice.store.session.SqlWaves;
import dev.coppice.wave.Waves;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Inserts the rows of a restored tree, hidden. Keys, trails and paths are computed anew. An id that
 * is in use fails the whole restore; the caller has checked ids before.
 */
final class TreePuts {
    private static final Sql REMOVAL = Sql.of("select key from removal where id = :id");

    /** Matches only sessions of this restore: rows are never attached to other sessions. */
    private static final Sql SESSION =
            Sql.of(
                    """
                    select s.key, s.tree, s.root from any_session s
                    where s.id = :id and s.removal = :removal
                    """);

    private static final Sql JOIN_KEY =
            Sql.of(
                    """
                    select j.key from child_join j join any_session s on s.key = j.session
                    where j.id = :id and s.removal = :removal
                    """);
    private static final Sql STOP_KEY =
            Sql.of(
                    """
                    select t.key from tree_stop t join any_session s on s.key = t.session
                    where t.id = :id and s.removal = :removal
                    """);
    private static final Sql WAVE_KEY =
            Sql.of(
                    """
                    select w.key from wave w join any_session s on s.key = w.session
                    where w.id = :id and s.removal = :removal
                    """);

    /** The pair that a trigger wrote when the child was inserted. */
    private static final Sql DROP_BORN =
            Sql.of(
                    """
                    delete from relationship where parent_id = :parent and child_id = :child
                    and evidence is null
                    """);

    /** A relationship of two existing sessions that does not follow from the tree. */
    private static final Sql CAN_RELATE =
            Sql.of(
                    """
                    select count(*) from any_session p join any_session c on c.id = :child
                    where p.id = :parent and :type in ('sibling', 'continuation')
                    and not exists (
                        select 1 from relationship r
                        where r.parent_id = :parent and r.child_id = :child)
                    """);

    private static final Sql PLACE =
            Sql.of(
                    """
                    select p.key, p.root, p.tree, p.trail, p.depth, p.path from any_session p
                    where p.id = :id
                    """);
    private static final Sql HAS_TOP =
            Sql.of("select count(*) from removal where key = :removal and session is not null");
    private static final Sql TOP =
            Sql.of(
                    "update removal set session = :session where key = :removal and session is"
                            + " null");
    private static final Sql MEMBER = Tables.insert("removal_member");
    private static final Sql MEMBER_RUNS =
            Sql.of(
                    """
                    update removal_member set runs = runs + 1
                    where session_id = :session and +removal = :removal
                    """);

    private static final Waves WAVES = new SqlWaves();

    private final Map<Table, Sql> inserts = new HashMap<>();
    private final SqlDialect dialect;

    TreePuts(SqlDialect dialect, Tables tables) {
        this.dialect = dialect;
        tables.backups()
                .forEach((name, table) -> inserts.put(new Table(name), tables.restore(table)));
    }

    void put(RemovalId into, Table table, List<TreeRows.Row> rows) {
        // Audit records are never restored: they stay in the database that wrote them.
        if (table.equals(Table.AUDIT)) return;
        long removal = Tx.call(REMOVAL).set("id", into.value()).number();
        var brought = new Brought(removal, new HashMap<>());
        for (var row : rows) put(brought, table, row.fields());
    }

    /**
     * Skips a row whose session or join is not part of the backup. A tree that was live during the
     * backup may have rows of sessions that were created later.
     */
    private void put(Brought brought, Table table, Map<String, @Nullable Object> row) {
        var values = new HashMap<String, @Nullable Object>(row);
        boolean isPlaced =
                table.equals(Table.SESSIONS)
                        ? placeSession(brought.removal(), values)
                        : placeBelow(brought, table, values);
        if (!isPlaced) return;
        var sql = Objects.requireNonNull(inserts.get(table));
        var call = Tx.call(sql);
        for (var name : sql.names()) set(call, name, values.get(name));
        call.update();
        if (table.equals(Table.SESSIONS)) member(brought.removal(), values);
    }

    private static void set(Call call, String name, @Nullable Object value) {
        switch (value) {
            case null -> call.setNothing(name);
            case Number number -> call.set(name, number.longValue());
            default -> call.set(name, value.toString());
        }
    }

    private record Place(
            @Nullable Long key, long root, long tree, String trail, long depth, String path) {}

    /**
     * Places the session below its parent; false if that is missing. Only the first one, the top,
     * may have a parent outside this restore, or none.
     */
    private boolean placeSession(long removal, Map<String, @Nullable Object> values) {
        var parent = (String) values.get("parent_id");
        boolean isTop = Tx.call(HAS_TOP).set("removal", removal).number() == 0;
        if (!isTop && keys(removal, parent).isEmpty()) return false;
        long key = Tx.call(dialect.nextSessionKey()).number();
        var name = String.valueOf(values.get("name"));
        var above = parent == null ? null : place(parent);
        values.put("key", key);
        values.put("parent", above == null ? null : above.key());
        values.put("root", above == null ? key : above.root());
        values.put("tree", above == null ? key : above.tree());
        values.put("trail", Trail.of(above == null ? "" : above.trail(), key));
        values.put("depth", above == null ? 0L : above.depth() + 1);
        values.put("path", above == null ? name : above.path() + "." + name);
        values.put("removal", removal);
        values.put("came_from", values.get("detached_from"));
        // If the name is in use, the hidden session lends it and gets it back when it becomes
        // visible.
        boolean taken = HiddenNames.isTaken(name);
        values.put("name", taken ? name + " " + key : name);
        values.put("lent_name", taken ? name : null);
        return true;
    }

    private static Place place(String id) {
        return Tx.call(PLACE)
                .set("id", id)
                .first(row ->
                        new Place(
                                row.number("key"),
                                row.number("root"),
                                row.number("tree"),
                                row.text("trail"),
                                row.number("depth"),
                                row.text("path")))
                .orElseThrow(() -> new IllegalStateException("no session " + id));
    }

    private static void member(long removal, Map<String, @Nullable Object> values) {
        Tx.call(TOP)
                .setNumber("session", (Number) values.get("key"))
                .set("removal", removal)
                .update();
        var call = Tx.call(MEMBER).set("removal", removal).set("runs", 0);
        var lent = values.get("lent_name");
        set(call, "session_id", values.get("id"));
        set(call, "name", lent == null ? values.get("name") : lent);
        for (var name : List.of("parent_id", "state", "tree", "trail")) {
            set(call, name, values.get(name));
        }
        call.update();
    }

    private record Keys(long key, long tree, long root) {}

    private static Optional<Keys> keys(long removal, @Nullable Object id) {
        return Tx.call(SESSION)
                .set("id", String.valueOf(id))
                .set("removal", removal)
                .first(row -> new Keys(row.number("key"), row.number("tree"), row.number("root")));
    }

    /** The sessions of this restore, each looked up once per chunk. */
    private record Brought(long removal, Map<String, Optional<Keys>> looked) {
        Optional<Keys> keys(@Nullable Object id) {
            return looked.computeIfAbsent(String.valueOf(id), key -> TreePuts.keys(removal, key));
        }
    }

    private static boolean placeBelow(
            Brought brought, Table table, Map<String, @Nullable Object> values) {
        var found = brought.keys(values.get("session_id"));
        if (found.isEmpty()) return false;
        values.put("session", found.get().key());
        values.put("tree", found.get().tree());
        values.put("root", found.get().root());
        if (table.equals(Table.RUNS)) {
            var id = String.valueOf(values.get("session_id"));
            Tx.call(MEMBER_RUNS).set("session", id).set("removal", brought.removal()).update();
        }
        return switch (table.name()) {
            case "join_members" -> attach(brought, JOIN_KEY, "join_id", "child_join", values);
            case "stop_members" -> {
                var member = brought.keys(values.get("member_id"));
                values.put("session", member.map(Keys::key).orElse(null));
                yield member.isPresent()
                        && attach(brought, STOP_KEY, "stop_id", "tree_stop", values);
            }
            case "relationships" -> isRelated(values);
            case "waves" -> isFree(String.valueOf(values.get("id")));
            case "wave_plans" -> {
                var member = values.get("member_id");
                values.put("session_id", brought.keys(member).isPresent() ? member : null);
                yield attach(brought, WAVE_KEY, "wave_id", "wave", values);
            }
            default -> true;
        };
    }

    /** False for a wave whose id is in use: it is not restored. */
    private static boolean isFree(String wave) {
        return SessionId.isValid(wave) && !WAVES.isTaken(wave);
    }

    /**
     * A backup has a pair once for each of its sessions; only the first is restored. Pairs of other
     * sessions are skipped, because a backup may come from anyone.
     */
    private static boolean isRelated(Map<String, @Nullable Object> values) {
        var own = String.valueOf(values.get("session_id"));
        var parent = String.valueOf(values.get("parent_id"));
        var child = String.valueOf(values.get("child_id"));
        if (!own.equals(parent) && !own.equals(child)) return false;
        boolean isOfChild = own.equals(child);
        int born =
                isOfChild
                        ? Tx.call(DROP_BORN).set("parent", parent).set("child", child).update()
                        : 0;
        return born > 0
                || Tx.call(CAN_RELATE)
                                .set("parent", parent)
                                .set("child", child)
                                .set("type", String.valueOf(values.get("type")))
                                .number()
                        > 0;
    }

    /** Sets the key of the row's join or stop; false if that was not restored. */
    private static boolean attach(
            Brought brought,
            Sql find,
            String id,
            String key,
            Map<String, @Nullable Object> values) {
        var found =
                Tx.call(find)
                        .set("id", String.valueOf(values.get(id)))
                        .set("removal", brought.removal())
                        .first(row -> row.number(1));
        values.put(key, found.orElse(null));
        return found.isPresent();
    }
}
