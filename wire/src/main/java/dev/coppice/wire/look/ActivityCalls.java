package dev.coppice.wire.look;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.look.OutlineCalls.QuestionView;
import dev.coppice.wire.session.HeadlineView;
import dev.coppice.wire.session.SessionCalls;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The health of sessions. */
public final class ActivityCalls {
    public static final int SESSIONS_MAX = 500;
    public static final int FAILED_HOURS = 1;

    public static final Call<Find, Active> LIST =
            Call.get(
                    "list_activity",
                    "/activity",
                    Find.class,
                    Active.class,
                    "Show how the live sessions are doing, and those that failed a short time ago;"
                            + " first what a person should look at");
    public static final Call<SessionCalls.At, OfTree> READ =
            Call.get(
                    "get_session_health",
                    "/sessions/{session_id}/health",
                    SessionCalls.At.class,
                    OfTree.class,
                    "Show how a session is doing, and what it and all below it use");

    private ActivityCalls() {}

    /** Selects sessions. */
    public record Find(
            @Field("only this session and all below it") @Nullable String sessionId,
            @Field(
                            value =
                                    "the maximum number of sessions; those that ask or failed are"
                                            + " taken first, then the newest",
                            fallback = "100",
                            min = 1,
                            max = SESSIONS_MAX)
                    int limit,
            @Field(
                            value = "for how many hours failures are shown",
                            fallback = "" + FAILED_HOURS,
                            min = 1,
                            max = 168)
                    int failedHours) {}

    /** Sessions, the most urgent first, and the sum of all. */
    public record Active(
            @Field("the sessions") List<HealthView> sessions,
            @Field("what there is, whether shown or not") SumView sum) {}

    /** Counts of all live and failed sessions, and what the trees of the live ones have spent. */
    public record SumView(
            @Field("those that wait for an answer of a person") int asking,
            @Field("live ones, those that wait and are idle included") long live,
            @Field("idle ones") long idle,
            @Field("those that failed, timed out or were lost") long failed,
            @Field("tokens") long tokens,
            @Field("millionths of a dollar") long costMicros) {}

    /** A session, and what it and all below it use. */
    public record OfTree(
            @Field("the session") HealthView health,
            @Field("what it and all below it use") UseView tree) {}

    /** The health of a session. */
    public record HealthView(
            @Field(Descriptions.SESSION) String sessionId,
            @Field(Descriptions.NAME) String sessionName,
            @Field("the id of its parent") @Nullable String parentSessionId,
            @Field("its names from the root down") String path,
            @Field(value = "its state", example = "running") String state,
            @Field("why it is in this state") @Nullable String reason,
            @Field("asks, failed, silent, burning, working or idle; the most urgent first")
                    String attention,
            @Field(value = "when it was created", example = Descriptions.TIME) String createdAt,
            @Field("when it started") @Nullable String startedAt,
            @Field("when it ended") @Nullable String endedAt,
            @Field("the time since it last said something or changed, in milliseconds")
                    long silenceMs,
            @Field("its last event") @Nullable GlanceView lastEvent,
            @Field("what it does, or how it ended, in a line") @Nullable HeadlineView headline,
            @Field("the question that it asks a person") @Nullable QuestionView question,
            @Field("the share of failures among its last events that report an outcome")
                    double errorRate,
            @Field("its runs") int runs,
            @Field("its runs that failed, timed out or were lost") int failedRuns,
            @Field("the live sessions below it") long livingBelow,
            @Field("tokens of it and all below it") long tokens,
            @Field("millionths of a dollar, of it and all below it") long costMicros,
            @Field("what its processes use") UseView use) {}

    /** An event at a glance. */
    public record GlanceView(
            @Field("its type") String eventType,
            @Field(value = "when it happened", example = Descriptions.TIME) String timestamp,
            @Field("the tool that it is about") @Nullable String tool) {}

    /**
     * The resource use of processes; all but the time is current, by the last sample of the runner.
     */
    public record UseView(
            @Field("milliseconds of processor time, over all runs") long cpuMs,
            @Field("how many processors are busy") double cpuShare,
            @Field("bytes of memory") long memoryBytes,
            @Field("the most bytes of memory of one run so far") long memoryPeakBytes,
            @Field("processes") int processes,
            @Field("open files") int openFiles) {}
}
