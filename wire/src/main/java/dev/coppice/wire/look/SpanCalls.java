package dev.coppice.wire.look;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The times in which the sessions of a tree worked. Times are milliseconds since the epoch. */
public final class SpanCalls {
    public static final int SESSIONS_MAX = 20_000;

    public static final Call<Show, Spans> READ =
            Call.get(
                    "read_spans",
                    "/sessions/{session_id}/spans",
                    Show.class,
                    Spans.class,
                    "Read when a session and all below it worked, and what woke whom");

    private SpanCalls() {}

    /** Selects a tree. */
    public record Show(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Field(
                            value =
                                    "only sessions that have changed their states at or after this"
                                            + " time",
                            fallback = "0",
                            min = 0)
                    long since) {}

    /** The spans of a tree. */
    public record Spans(
            @Field("the number of all sessions, also of those that did not change") long total,
            @Field("true if there are more than one answer holds") boolean truncated,
            @Field("when this was read") long at,
            @Field("the sessions, depth first") List<SpanView> spans,
            @Field("the callbacks that woke a parent, the latest first") List<WakeView> wakes) {}

    /** The time in which a session worked. */
    public record SpanView(
            @Field(Descriptions.SESSION) String sessionId,
            @Field(Descriptions.NAME) String sessionName,
            @Field("the id of its parent") @Nullable String parentSessionId,
            @Field("levels below the root") int depth,
            @Field("its blueprint, else its type") String kind,
            @Field(value = "its state", example = "running") String state,
            @Field("when it started, or was created") long from,
            @Field("when it ended") @Nullable Long to,
            @Field("its runs that have started, oldest first") List<WorkView> runs) {}

    /** The time in which a run worked. */
    public record WorkView(
            @Field(value = "its state", example = "running") String state,
            @Field("when it started") long from,
            @Field("when it ended") @Nullable Long to) {}

    /** A callback that woke a parent. */
    public record WakeView(
            @Field("the id of the child that ended") String child,
            @Field("the id of its parent") String parent,
            @Field("when the child ended") long from,
            @Field("when the parent's run started") long to) {}
}
