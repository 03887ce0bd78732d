package dev.coppice.originals.report;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Paging;
import dev.coppice.wire.look.TreeCalls;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Tables over many sessions. */
public final class TreeReportCalls {
    public static final Call<Ask, Table> READ =
            Call.get(
                    "read_report",
                    "/reports/{report}",
                    Ask.class,
                    Table.class,
                    "Read a table over many sessions, with the columns of the relationship schema");

    private TreeReportCalls() {}

    public enum Report {
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
        /** The number of pairs of each type, reason and delegation. */
        RELATIONSHIPS("relationship_type spawn_reason delegation_type relationships deepest_level");

        private final String columns;

        Report(String columns) {
            this.columns = columns;
        }

        List<String> columns() {
            return List.of(columns.split(" "));
        }
    }

    /** Selects a report and its rows. */
    public record Ask(
            @Field(value = "the report", example = "timeline") Report report,
            @Field("only this session and all below it") @Nullable String sessionId,
            @Field(
                            value =
                                    "only what happened at or after this time, in milliseconds"
                                            + " since the epoch; absent: the last day",
                            min = 0)
                    @Nullable Long from,
            @Field(value = "only what happened before this time", min = 0) @Nullable Long until,
            @Field(
                            value = "at most so many levels below the session, or below roots",
                            fallback = "256",
                            min = 0,
                            max = TreeCalls.LEVELS_MAX)
                    int maxDepth,
            @Inline Paging page) {}

    /** A page of a report. */
    public record Table(
            @Field("the names of the columns, in order") List<String> columns,
            @Field("the rows: objects with a value for every column") List<JsonNode> rows,
            @Field(Descriptions.NEXT) @Nullable String next) {}
}
