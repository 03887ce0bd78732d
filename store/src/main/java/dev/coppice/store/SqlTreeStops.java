package dev.coppice.store;

import dev.coppice.kernel.SessionId;
import dev.coppice.stop.StopId;
import dev.coppice.stop.TreeStop;
import dev.coppice.stop.TreeStops;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.schema.Tables;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Stores stops of trees. */
final class SqlTreeStops implements TreeStops {
    private static final String COLUMNS =
            "select t.*, s.id as top_id from tree_stop t join session s on s.key = t.session ";
    private static final Sql FIND = Sql.of(COLUMNS + "where t.id = :id");
    private static final Sql OPEN_IN =
            Sql.of(COLUMNS + "where t.root = :root and t.ended_at is null order by t.key");
    private static final Sql OPEN =
            Sql.of(COLUMNS + "where t.ended_at is null order by t.key limit :max");
    private static final Sql INSERT = Tables.insert("tree_stop", "ended_at");
    private static final Sql INSERT_MEMBER =
            Sql.of(
                    """
                    insert into tree_stop_member (tree_stop, session)
                    values ((select key from tree_stop where id = :id), :session)
                    """);
    private static final Sql UPDATE = Tables.update("tree_stop", "id", "ended_at");
    private static final Sql MEMBERS =
            Sql.of(
                    """
                    select s.id from tree_stop_member m
                    join tree_stop t on t.key = m.tree_stop join session s on s.key = m.session
                    where t.id = :id order by m.session
                    """);

    @Override
    public void add(TreeStop stop, List<SessionId> members) {
        var keys = Keys.of(stop.top());
        Tx.call(INSERT)
                .set("id", stop.id().value())
                .set("session", keys.key())
                .set("root", keys.root())
                .set("deadline_ms", stop.order().deadline().toMillis())
                .set("reason", stop.order().reason())
                .set("removed_by", stop.order().removedBy())
                .set("began_at", stop.began())
                .update();
        for (var member : members) {
            Tx.call(INSERT_MEMBER)
                    .set("id", stop.id().value())
                    .set("session", Keys.of(member).key())
                    .update();
        }
    }

    @Override
    public void save(TreeStop stop) {
        Tx.call(UPDATE).set("id", stop.id().value()).set("ended_at", stop.ended()).update();
    }

    @Override
    public Optional<TreeStop> find(StopId id) {
        return Tx.call(FIND).set("id", id.value()).first(SqlTreeStops::stop);
    }

    @Override
    public List<TreeStop> openIn(SessionId root) {
        return Keys.find(root)
                .map(k -> Tx.call(OPEN_IN).set("root", k.key()).list(SqlTreeStops::stop))
                .orElse(List.of());
    }

    @Override
    public List<TreeStop> open(int max) {
        return Tx.call(OPEN).set("max", max).list(SqlTreeStops::stop);
    }

    @Override
    public List<SessionId> membersOf(StopId id) {
        return Tx.call(MEMBERS).set("id", id.value()).list(row -> new SessionId(row.text("id")));
    }

    private static TreeStop stop(Row row) throws SQLException {
        var order =
                new TreeStop.Order(
                        Duration.ofMillis(row.number("deadline_ms")),
                        row.text("reason"),
                        row.textOrNull("removed_by"));
        return new TreeStop(
                new StopId(row.text("id")),
                new SessionId(row.text("top_id")),
                order,
                row.instant("began_at"),
                row.instantOrNull("ended_at"));
    }
}
