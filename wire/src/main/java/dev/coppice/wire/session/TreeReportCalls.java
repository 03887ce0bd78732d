package dev.coppice.wire.session;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Paging;

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

    /** The reports. */
    public enum Report {
        CHILDREN,
        TIMELINE,
        WAVES,
        PERFORMANCE,
        SPAWN_DELAYS,
        RELATIONSHIPS
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
