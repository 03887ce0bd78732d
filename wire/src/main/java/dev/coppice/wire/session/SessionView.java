package dev.coppice.wire.session;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** A session as callers see it. */
public record SessionView(
        @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
        @Field(value = Descriptions.NAME, example = "plan") String sessionName,
        @Field(value = "its state in the words of the original", example = "running") String status,
        @Field(
                        value =
                                "its state: pending, running, stopping, idle, finished, failed,"
                                        + " stopped, timed_out or lost",
                        example = "running")
                String state,
        @Field("the reason of its state") @Nullable String reason,
        @Field(value = "its role in the tree", example = "subagent") String sessionType,
        @Field("the id of its parent; null for a root") @Nullable String parentSessionId,
        @Field("the name of its parent") @Nullable String parentSessionName,
        @Field("the id of the root of its tree") String rootSessionId,
        @Field("levels below the root") int depth,
        @Field(value = "the names from the root down to it", example = "plan.draft") String path,
        @Field(value = "when it was created", example = Descriptions.TIME) String createdAt,
        @Field("when its first run began") @Nullable String startedAt,
        @Field("when it was last resumed") @Nullable String lastResumedAt,
        @Field("when it ended") @Nullable String endedAt,
        @Field("its duration, once it has ended") @Nullable Long durationMs,
        @Field("the directory it works in") @Nullable String projectDir,
        @Field("its blueprint") @Nullable String agentName,
        @Field("the program that created it") @Nullable String sourceApp,
        @Field("the agent program's own id of the conversation") @Nullable String executorSessionId,
        @Field("the profile of the runner it last ran on") @Nullable String executorProfile,
        @Field("the host it last ran on") @Nullable String hostname,
        @Field("arbitrary data about it") @Nullable JsonNode metadata,
        @Field("the limits of its tree") @Nullable LimitsView limits,
        @Field("the policy for it when its parent ends") @Nullable String onParentEnd,
        @Field("when it was abandoned by the end of its parent") @Nullable String abandonedAt,
        @Field("when its processes were suspended") @Nullable String frozenAt,
        @Field(
                        "the parent that it has lost to a removal, or before it was imported; then"
                                + " 'unknown' if no row named it")
                @Nullable String detachedFrom,
        @JsonInclude(JsonInclude.Include.NON_NULL)
                @Field("what it does, or how it ended, in a line; only where that was asked for")
                @Nullable HeadlineView headline) {}
