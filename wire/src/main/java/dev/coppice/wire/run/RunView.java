package dev.coppice.wire.run;

import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** A run as callers see it. */
public record RunView(
        @Field(value = "the run", example = Descriptions.RUN_ID) String runId,
        @Field(Descriptions.SESSION) String sessionId,
        @Field(Descriptions.NAME) String sessionName,
        @Field(value = "start_session or resume_session", example = "start_session") String type,
        @Field("its blueprint") @Nullable String agentName,
        @Field("its parameters") JsonNode parameters,
        @Field("the directory it works in") @Nullable String projectDir,
        @Field("the id of the parent of its session") @Nullable String parentSessionId,
        @Field("the name of the parent") @Nullable String parentSessionName,
        @Field(value = "how the parent learns of the end", example = "sync") String executionMode,
        @Field("its demands on its runner") DemandsView demands,
        @Field(value = "its state in the words of the original", example = "completed")
                String status,
        @Field(
                        value =
                                "its state: queued, hooked, claimed, running, stopping, finished,"
                                        + " failed, stopped, timed_out or lost",
                        example = "finished")
                String state,
        @Field("the runner that last claimed it") @Nullable String runnerId,
        @Field("why it did not finish") @Nullable String error,
        @Field("rate_limited if the account of the agent reached its limit")
                @Nullable String errorKind,
        @Field(value = "when it was created", example = Descriptions.TIME) String createdAt,
        @Field("when a runner claimed it") @Nullable String claimedAt,
        @Field("when its process started") @Nullable String startedAt,
        @Field("when it ended") @Nullable String completedAt,
        @Field("when it times out if no runner claims it") String timeoutAt,
        @Field("its result as text") @Nullable String resultText,
        @Field("its result as data") @Nullable JsonNode resultData)
        implements RunAnswer {}
