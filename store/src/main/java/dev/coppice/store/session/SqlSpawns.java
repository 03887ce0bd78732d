package dev.coppice.store.session;

import dev.coppice.kernel.SessionId;
import dev.coppice.observe.Spawns;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;

/** Stores why a child was started, in the relationship with its parent. */
public final class SqlSpawns implements Spawns {
    /** A session has one relationship to its parent that is neither set aside nor declared. */
    private static final Sql EXPLAIN =
            Sql.of(
                    """
                    update relationship set reason = coalesce(reason, :reason),
                        delegation = coalesce(delegation, :delegation),
                        metadata = coalesce(metadata, :metadata)
                    where child_id = :child and set_aside = 0 and evidence is null
                    """);

    @Override
    public void explain(SessionId child, Spawn spawn) {
        Tx.call(EXPLAIN)
                .set("child", child.value())
                .set("reason", spawn.reason())
                .set("delegation", spawn.delegation())
                .set("metadata", spawn.metadata())
                .update();
    }
}
