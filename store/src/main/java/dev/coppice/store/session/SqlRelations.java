package dev.coppice.store.session;

import dev.coppice.kernel.SessionId;
import dev.coppice.observe.Relations;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;

import java.sql.SQLException;
import java.util.List;

/** Reads how sessions are related. */
public final class SqlRelations implements Relations {
    private static final Sql OF =
            Sql.of(
                    """
                    select o.id, o.name, o.state, b.side, b.type, b.reason, b.delegation,
                        b.evidence, b.confidence, b.created_at
                    from (
                        select r.parent_id as other, 'PARENT' as side, r.*
                        from relationship r where r.child_id = :id and r.set_aside = 0
                        union all
                        select r.child_id as other, 'CHILD' as side, r.*
                        from relationship r where r.parent_id = :id and r.set_aside = 0
                    ) b join session o on o.id = b.other
                    order by b.created_at, b.key limit :max
                    """);

    @Override
    public List<Relation> of(SessionId session, int max) {
        return Tx.call(OF).set("id", session.value()).set("max", max).list(SqlRelations::relation);
    }

    private static Relation relation(Row row) throws SQLException {
        var confidence = row.numberOrNull("confidence");
        return new Relation(
                new SessionId(row.text("id")),
                row.text("name"),
                row.text("state"),
                Side.valueOf(row.text("side")),
                row.text("type"),
                row.textOrNull("reason"),
                row.textOrNull("delegation"),
                row.textOrNull("evidence"),
                confidence == null ? null : confidence.intValue(),
                row.instant("created_at"));
    }
}
