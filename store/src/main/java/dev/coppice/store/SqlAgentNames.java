package dev.coppice.store;

import dev.coppice.observe.AgentNames;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.schema.Tables;

import java.time.Instant;
import java.util.Optional;

/** Stores the names that hooks give to agents. */
public final class SqlAgentNames implements AgentNames {
    private static final int NAMES_MAX = 10_000;
    private static final Sql FIND = Sql.of("select name from agent_name where key = :key");
    private static final Sql PUT = Tables.upsert("agent_name", "key");
    private static final Sql FORGET =
            Sql.of(
                    """
                    delete from agent_name where key in (
                        select key from agent_name order by created_at desc, key
                        limit 100 offset %d)
                    """
                            .formatted(NAMES_MAX));

    @Override
    public Optional<String> find(String key) {
        return Tx.call(FIND).set("key", key).first(row -> row.text("name"));
    }

    @Override
    public void put(String key, String name, Instant at) {
        Tx.call(PUT).set("key", key).set("name", name).set("created_at", at).update();
        Tx.call(FORGET).update();
    }
}
