package dev.coppice.store.engine;

import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The current transaction of this thread. Ports find it here, so the core need not pass it through
 * every call (docs/decisions/0003). It remembers the keys of the sessions that it has looked up.
 */
public final class Tx {
    private static final ScopedValue<Tx> CURRENT = ScopedValue.newInstance();

    private final Prepared prepared;

    /** Keys of sessions already looked up in this transaction. */
    private final Map<SessionId, Keys> keys = new HashMap<>();

    private final Set<Topic> topics = new LinkedHashSet<>();

    Tx(Prepared prepared) {
        this.prepared = prepared;
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

    /**
     * The keys of a session, which every noun refers to, and its wave; they never leave the store.
     */
    public record Keys(long key, long root, long tree, String trail, @Nullable String wave) {
        public Keys(long key, long root, long tree, String trail) {
            this(key, root, tree, trail, null);
        }

        private static final Sql FIND =
                Sql.of(
                        """
                        select s.key, s.root, s.tree, s.trail, (
                            select m.wave from wave_member m where m.session = s.key) as wave
                        from any_session s where s.id = :id
                        """);

        public static Optional<Keys> find(SessionId id) {
            var known = current().keys.get(id);
            if (known != null) return Optional.of(known);
            var found = call(FIND).set("id", id.value()).first(Keys::read);
            found.ifPresent(keys -> keys.remember(id));
            return found;
        }

        private static Keys read(Row row) throws SQLException {
            return new Keys(
                    row.number("key"),
                    row.number("root"),
                    row.number("tree"),
                    row.text("trail"),
                    row.textOrNull("wave"));
        }

        public static Keys of(SessionId id) {
            return find(id).orElseThrow(() -> new IllegalStateException("no session " + id));
        }

        /** The keys of a new session below this parent, or of a root. */
        public static Keys below(@Nullable Keys parent, long key) {
            return parent == null
                    ? new Keys(key, key, key, Trail.of("", key))
                    : new Keys(key, parent.root(), parent.tree(), Trail.of(parent.trail(), key));
        }

        public static boolean isWithin(SessionId id, SessionId top) {
            if (id.equals(top)) return true;
            var above = find(top);
            var below = find(id);
            return above.isPresent()
                    && below.isPresent()
                    && below.get().trail().startsWith(above.get().trail());
        }

        public void remember(SessionId id) {
            current().keys.put(id, this);
        }

        /** A move of sessions changes their trails. */
        public static void forgetAll() {
            current().keys.clear();
        }
    }
}
