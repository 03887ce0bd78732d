package dev.coppice.store.engine;

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
 * The current transaction of this thread. Ports find it here, so the core need not pass it through
 * every call (docs/decisions/0003).
 */
public final class Tx {
    private static final ScopedValue<Tx> CURRENT = ScopedValue.newInstance();

    private final Prepared prepared;
    private final Map<SessionId, Keys> keys = new HashMap<>();
    private final Set<Topic> topics = new LinkedHashSet<>();

    Tx(Prepared prepared) {
        this.prepared = prepared;
    }

    /** Keys of sessions already looked up in this transaction. */
    Map<SessionId, Keys> keys() {
        return keys;
    }

    static boolean isUnderWay() {
        return CURRENT.isBound();
    }

    public static Tx current() {
        if (!CURRENT.isBound()) {
            throw new IllegalStateException("a port was used outside of a transaction");
        }
        return CURRENT.get();
    }

    <T extends @Nullable Object> T run(Supplier<T> work) {
        return ScopedValue.where(CURRENT, this).call(work::get);
    }

    public static Call call(Sql sql) {
        try {
            return new Call(sql, current().prepared);
        } catch (SQLException e) {
            throw new StoreFailed("preparing: " + sql.text(), e);
        }
    }

    public void raise(Topic topic) {
        topics.add(topic);
    }

    Set<Topic> topics() {
        return topics;
    }
}
