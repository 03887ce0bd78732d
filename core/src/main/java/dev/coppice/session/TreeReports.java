package dev.coppice.session;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Tables over many sessions, with the columns of the relationship schema. */
public interface TreeReports {
    enum Kind {
        /** The sessions below another, depth first. */
        CHILDREN(
                "child_session_id parent_session_id relationship_type spawn_reason status"
                        + " depth_level session_path"),
        /** Events in the order of their times. */
        TIMELINE(
                "timestamp session_id parent_session_id session_depth hook_event_type session_type"
                        + " relationship_type spawn_reason"),
        /** The waves with events in the period. */
        WAVES("wave_id wave_sessions wave_start wave_end total_events"),
        /** The sessions that started in the period. */
        PERFORMANCE(
                "session_id session_type duration_ms agent_count total_tokens event_count"
                        + " depth_level"),
        /** The children that started in the period, and how long after their parents. */
        SPAWN_DELAYS(
                "parent_id parent_type child_id child_type spawn_reason delegation_type"
                        + " spawn_delay_ms child_duration"),
        /** How many pairs there are of each type, reason and delegation. */
        RELATIONSHIPS("relationship_type spawn_reason delegation_type relationships deepest_level");

        private final String columns;

        Kind(String columns) {
            this.columns = columns;
        }

        public List<String> columns() {
            return List.of(columns.split(" "));
        }
    }

    /**
     * Selects the rows of a report.
     *
     * @param within only this session and all below it
     * @param from only what happened at or after this time, where the report has times
     * @param until only what happened before this time
     * @param depthMax only sessions at most so many levels below a root
     */
    record Question(
            Kind kind, @Nullable SessionId within, Instant from, Instant until, int depthMax) {}

    /** Returns a page of rows, each with a text, a whole number or null for every column. */
    Slice<Map<String, @Nullable Object>> rows(Question question, Cursor cursor);
}
