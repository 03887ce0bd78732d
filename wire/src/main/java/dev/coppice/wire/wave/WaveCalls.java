package dev.coppice.wire.wave;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Length;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Patience;
import dev.coppice.wire.Sizes;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Waves: sessions that are started and awaited together. */
public final class WaveCalls {
    public static final int MEMBERS_MAX = 1_000;

    public static final Call<Start, WaveView> START =
            Call.post(
                            "start_wave",
                            "/waves",
                            Start.class,
                            WaveView.class,
                            "Start a wave, or only plan it: members with what they need to have"
                                    + " ended before, from one template")
                    .creates()
                    .repeatable();
    public static final Call<Find, Page> LIST =
            Call.get(
                    "list_waves",
                    "/waves",
                    Find.class,
                    Page.class,
                    "List waves, newest first; of a session also those that its children's"
                            + " overlapping work shows");
    public static final Call<Await, WaveView> READ =
            Call.get(
                            "get_wave",
                            "/waves/{wave_id}",
                            Await.class,
                            WaveView.class,
                            "Show what a wave has achieved, and at which cost")
                    .takesLong();
    public static final Call<Stop, WaveView> STOP =
            Call.post(
                            "stop_wave",
                            "/waves/{wave_id}/stop",
                            Stop.class,
                            WaveView.class,
                            "Cancel the members that wait, and stop those that are busy")
                    .destructive();

    private WaveCalls() {}

    /** The plan of a wave, with the values of its parameters. */
    public record Start(
            @Field(value = "its name", chars = Sizes.LABEL_CHARS_MAX, example = "review")
                    @Nullable String name,
            @Field(
                            value =
                                    "the members: objects with a name, and the fields of a run;"
                                            + " 'below' names the member under whose session it"
                                            + " starts, 'after' those that must have finished,"
                                            + " 'phase' the part of the wave",
                            max = MEMBERS_MAX)
                    @Nullable List<JsonNode> members,
            @Field(value = "a JSON Schema for the parameters", bytes = Sizes.METADATA_BYTES_MAX)
                    @Nullable JsonNode parametersSchema,
            @Field(
                            value = "the values of ${params.NAME} in the members",
                            bytes = Sizes.PARAMETERS_BYTES_MAX)
                    @Nullable JsonNode parameters,
            @Field("the id of the session below which members start; absent: as roots")
                    @Nullable String parentSessionId,
            @Field("the name of that session; the id wins") @Nullable String parentSessionName,
            @Field(value = "the most members that are busy at once", min = 1, max = MEMBERS_MAX)
                    @Nullable Integer concurrency,
            @Field(value = "the least time between two starts", example = "2s", max = 3600)
                    @Nullable Length stagger,
            @Field(value = "check and show the plan, and start nothing", fallback = "false")
                    boolean dryRun) {}

    /** Selects waves. */
    public record Find(
            @Field("only waves of this session and of all below it") @Nullable String sessionId,
            @Inline Paging page) {}

    /** Selects a wave. */
    public record Await(
            @Field(value = "the id of the wave", example = Descriptions.WAVE_ID) String waveId,
            @Inline Patience patience) {}

    /** Selects a wave to stop. */
    public record Stop(
            @Field(value = "the id of the wave", example = Descriptions.WAVE_ID) String waveId,
            @Field(
                            value = "the time to end; then processes are killed",
                            fallback = "10s",
                            max = Sizes.DEADLINE_SECONDS_MAX)
                    Length deadline,
            @Field(
                            value = Descriptions.REASON,
                            fallback = "the wave was stopped",
                            chars = Sizes.LABEL_CHARS_MAX)
                    String reason) {}

    /** A page of waves, without their members. */
    public record Page(
            @Field("the waves") List<WaveView> waves,
            @Field(Descriptions.NEXT) @Nullable String next) {}

    public record WaveView(
            @Field(value = "its id", example = Descriptions.WAVE_ID) String waveId,
            @Field("its name") String name,
            @Field("the session below which its members start") @Nullable String parentSessionId,
            @Field(value = "declared, or inferred from overlapping work", example = "declared")
                    String evidence,
            @Field(
                            value = "empty, running, finished, failed, stopped; or planned",
                            example = "running")
                    String state,
            @Field("the most members that are busy at once") @Nullable Integer concurrency,
            @Field("the least time between two starts, in milliseconds") long staggerMs,
            @Field("how many members are in which state") CountsView counts,
            @Field("the share of members that are over, from 0 to 1") double progress,
            @Field(value = "when it was declared", example = Descriptions.TIME) String createdAt,
            @Field("when its first member started") @Nullable String startedAt,
            @Field("when its last member was done; null until then") @Nullable String endedAt,
            @Field("the time from its start to its end, or until now, in milliseconds") long wallMs,
            @Field("the sum of the times of its members, in milliseconds") long workMs,
            @Field("the most members that were busy at once") int peak,
            @Field("work divided by wall: how many members it was busy with on average")
                    double speedup,
            @Field("work divided by wall and by peak, from 0 to 1") double efficiency,
            @Field("its slowest member") @Nullable TimedView slowest,
            @Field("the slowest chain of members that needed one another")
                    List<TimedView> criticalPath,
            @Field("tokens of its members and all below them") long tokens,
            @Field("millionths of a dollar, of its members and all below them") long costMicros,
            @Field("its phases, in the order of their first members") List<PhaseView> phases,
            @Field("its members, in the order of the plan or of their start")
                    List<MemberView> members) {}

    /** The number of members in each state. */
    public record CountsView(
            @Field("all") int total,
            @Field("not started yet") int waiting,
            @Field("at work, or about to start") int busy,
            @Field("finished, or idle after their work") int done,
            @Field("failed, timed out, stopped or lost") int failed,
            @Field("refused, skipped because another failed, or removed") int lost,
            @Field("cancelled before they started") int cancelled) {}

    /** A member and its time. */
    public record TimedView(
            @Field("the member") String name, @Field("its time in milliseconds") long ms) {}

    public record PhaseView(
            @Field("its name") String name,
            @Field(value = "its state", example = "running") String state,
            @Field("how many members are in which state") CountsView counts) {}

    public record MemberView(
            @Field("its name in the plan, else that of its session") String name,
            @Field("its phase") @Nullable String phase,
            @Field("its session") @Nullable String sessionId,
            @Field("the name of its session") @Nullable String sessionName,
            @Field("the state of its session; waiting, refused, skipped, cancelled or removed")
                    String state,
            @Field("why it is in this state") @Nullable String reason,
            @Field("the member under whose session it starts") @Nullable String below,
            @Field("the members that must have finished") List<String> after,
            @Field("one more than the highest level among the members that it needs") int level,
            @Field("when it started") @Nullable String startedAt,
            @Field("when it was done") @Nullable String endedAt,
            @Field("its time in milliseconds") long ms,
            @Field("tokens of it and all below it") long tokens,
            @Field("millionths of a dollar, of it and all below it") long costMicros) {}
}
