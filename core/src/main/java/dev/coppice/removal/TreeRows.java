package dev.coppice.removal;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that hangs on the sessions of a tree, as plain rows: sessions from the top down, the
 * rest by session and in the order in which it came to be. No number in them means anything
 * elsewhere. All of it acts within the transaction under way.
 */
public interface TreeRows {
    /**
     * What there is of a tree, in the order in which it can be put back. Directories are not of the
     * tree but of their hosts: one is noted when someone works in it again.
     */
    enum Table {
        SESSIONS,
        RUNS,
        EVENTS,
        CALLBACKS,
        JOINS,
        JOIN_MEMBERS,
        STOPS,
        STOP_MEMBERS,
        BUDGETS,
        SPENT,
        AUDIT
    }

    /** The sessions that a removal takes; without one, those below the top that are in sight. */
    record Of(SessionId top, @Nullable RemovalId removal) {}

    /** How far someone has read. */
    record At(String trail, long key) {
        public static final At START = new At("", -1);
    }

    /** One row, by the names of its columns: texts and numbers, or nothing. */
    final class Row {
        private final Map<String, @Nullable Object> fields;

        public Row(Map<String, @Nullable Object> fields) {
            this.fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }

        public Map<String, @Nullable Object> fields() {
            return fields;
        }
    }

    /** Some rows, and where it goes on. */
    record Page(List<Row> rows, @Nullable At next) {
        public Page {
            rows = List.copyOf(rows);
        }
    }

    Page page(Of of, Table table, At after, int max);

    /** Whether a run has this id, in sight or not. */
    boolean hasRun(String id);

    /** Puts rows back, out of sight, as a part of this removal. */
    void put(RemovalId into, Table table, List<Row> rows);
}
