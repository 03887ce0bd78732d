package dev.coppice.wire.session;

import dev.coppice.wire.Field;
import dev.coppice.wire.Sizes;
import dev.coppice.word.OnParentEnd;
import dev.coppice.word.SessionType;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** The request to create a session without a run. */
public record StartSessionRequest(
        @Field(value = "its id; generated if absent", example = "s1") @Nullable String sessionId,
        @Field(value = "its name; generated if absent", example = "plan")
                @Nullable String sessionName,
        @Field("its role; by default main for a root, else subagent")
                @Nullable SessionType sessionType,
        @Field(value = "the directory it works in", chars = Sizes.PATH_CHARS_MAX)
                @Nullable String projectDir,
        @Field(value = "its host; this machine by default", chars = Sizes.LABEL_CHARS_MAX)
                @Nullable String hostname,
        @Field(value = "its blueprint", chars = Sizes.LABEL_CHARS_MAX) @Nullable String agentName,
        @Field(value = "the program that created it", chars = Sizes.LABEL_CHARS_MAX)
                @Nullable String sourceApp,
        @Field("the id of its parent") @Nullable String parentSessionId,
        @Field("the name of its parent; the id wins") @Nullable String parentSessionName,
        @Field(value = "arbitrary data about it", bytes = Sizes.METADATA_BYTES_MAX)
                @Nullable JsonNode metadata,
        @Field("the limits of its tree; absent limits are inherited") @Nullable LimitsView limits,
        @Field("the policy for it when its parent ends; default keep")
                @Nullable OnParentEnd onParentEnd) {
    /** The {@code source_app} of an agent that runs inside of its parent's program. */
    public static final String INSIDE = "inside";
}
