package dev.coppice.store;

import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The transaction under way on this thread. The ports find it here, so the rules need not carry it
 * through every call (docs/decisions/0003).
 */
final class Tx {
    private static final ScopedValue<Tx> CURRENT = ScopedValue.newInstance();

    private final Prepared prepared;
    private final Map<SessionId, SqlSessions.Keys> keys = new HashMap<>();
    private final Set<Topic> topics = new LinkedHashSet<>();

    Tx(Prepared prepared) {
        this.prepared = prepared;
    }

    /** What was already looked up of sessions in this transaction; keys never change within one. */
    Map<SessionId, SqlSessions.Keys> keys() {
        return keys;
    }

    static boolean isUnderWay() {
        return CURRENT.isBound();
    }

    static Tx current() {
        if (!CURRENT.isBound()) {
            throw new IllegalStateException("a port was used outside of a transaction");
        }
        return CURRENT.get();
    }

    <T extends @Nullable Object> T run(Supplier<T> work) {
        return ScopedValue.where(CURRENT, this).call(work::get);
    }

    static Call call(Sql sql) {
        try {
            return new Call(sql, current().prepared);
        } catch (SQLException e) {
            throw new StoreFailed("preparing: " + sql.text(), e);
        }
    }

    void raise(Topic topic) {
        topics.add(topic);
    }

    Set<Topic> topics() {
        return topics;
    }
}
