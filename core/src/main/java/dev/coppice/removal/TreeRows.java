package dev.coppice.removal;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All rows of the sessions of a tree: sessions from the top down, other rows by session in the
 * order in which they were created. Rows refer to each other by ids, not by keys of this database.
 * Every method joins the current transaction.
 */
public interface TreeRows {
    /** A table by its name in backups, and the tables that need more than a copy of their rows. */
    record Table(String name) {
        public static final Table SESSIONS = new Table("sessions");
        public static final Table RUNS = new Table("runs");
        public static final Table EVENTS = new Table("events");
        public static final Table CALLBACKS = new Table("callbacks");
        public static final Table STOPS = new Table("stops");
        public static final Table RELATIONSHIPS = new Table("relationships");
        public static final Table WAVES = new Table("waves");
        public static final Table WAVE_PLANS = new Table("wave_plans");
        public static final Table WAVE_MEMBERS = new Table("wave_members");
        public static final Table AUDIT = new Table("audit");
    }

    /** The sessions of a removal; without one, the visible sessions of the tree below the top. */
    record Of(SessionId top, @Nullable RemovalId removal) {}

    /** A position in a table. */
    record At(String trail, long key) {
        public static final At START = new At("", -1);
    }

    /** One row by the names of its columns: texts, numbers and nulls. */
    final class Row {
        private final Map<String, @Nullable Object> fields;

        public Row(Map<String, @Nullable Object> fields) {
            this.fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }

        public Map<String, @Nullable Object> fields() {
            return fields;
        }
    }

    /** Some rows, and the position after them if there are more. */
    record Page(List<Row> rows, @Nullable At next) {
        public Page {
            rows = List.copyOf(rows);
        }
    }

    /**
     * All tables of a tree, in the order in which they can be restored. Directories are left out:
     * they belong to a host, and are recorded when a session works there again.
     */
    List<Table> tables();

    Page page(Of of, Table table, At after, int max);

    /** True if a run has this id, visible or hidden. */
    boolean hasRun(String id);

    /** Declares a restored session the continuation of the one it is a copy of, if that exists. */
    void continues(SessionId copied, SessionId copy, Instant at);

    /** Inserts rows, hidden, as part of this removal. */
    void put(RemovalId into, Table table, List<Row> rows);
}
