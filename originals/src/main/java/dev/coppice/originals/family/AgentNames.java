package dev.coppice.originals.family;

import dev.coppice.kernel.SessionId;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.schema.Tables;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Optional;

/**
 * The names that hooks give to agents. Callers that are confined to the same session share names,
 * and so do all that are confined to none; other callers neither read nor replace them. All methods
 * join the current transaction.
 *
 * <p>A stored key is the session of its callers and the key that they sent, with a line break in
 * between, which no session id has.
 */
final class AgentNames {
    private static final int NAMES_MAX = 10_000;
    private static final int NAMES_PER_SESSION_MAX = 1_000;
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
    private static final Sql FORGET_OF =
            Sql.of(
                    """
                    delete from agent_name where key in (
                        select key from agent_name
                        where substr(key, 1, cast(:length as integer)) = :prefix
                        order by created_at desc, key
                        limit 100 offset %d)
                    """
                            .formatted(NAMES_PER_SESSION_MAX));

    Optional<String> find(@Nullable SessionId below, String key) {
        return Tx.call(FIND).set("key", prefix(below) + key).first(row -> row.text("name"));
    }

    /** Stores a name; forgets the oldest ones beyond a bound, of this session and of all. */
    void put(@Nullable SessionId below, String key, String name, Instant at) {
        var prefix = prefix(below);
        Tx.call(PUT).set("key", prefix + key).set("name", name).set("created_at", at).update();
        Tx.call(FORGET).update();
        if (below == null) return;
        Tx.call(FORGET_OF).set("length", prefix.length()).set("prefix", prefix).update();
    }

    private static String prefix(@Nullable SessionId below) {
        return below == null ? "\n" : below.value() + "\n";
    }
}
