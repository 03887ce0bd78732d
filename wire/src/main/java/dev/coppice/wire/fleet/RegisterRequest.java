package dev.coppice.wire.fleet;

import dev.coppice.wire.Field;
import dev.coppice.wire.Sizes;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/**
 * A runner that registers. One that sends {@code protocol} is one of ours: it knows fences,
 * confirms claims, and says what it holds.
 */
public record RegisterRequest(
        @Field(value = "its host", chars = Sizes.LABEL_CHARS_MAX, example = "build-1")
                String hostname,
        @Field(value = "its directory", chars = Sizes.PATH_CHARS_MAX, example = "/srv/agents")
                String projectDir,
        @Field(value = "its profile", chars = Sizes.LABEL_CHARS_MAX, example = "coppice")
                String executorProfile,
        @Field(value = "what it says of its executor", bytes = Sizes.METADATA_BYTES_MAX)
                @Nullable JsonNode executor,
        @Field("its tags") @Nullable List<String> tags,
        @Field(value = "take only runs that demand one of its tags", fallback = "false")
                boolean requireMatchingTags,
        @Field("not offered yet: agents of its own") @Nullable JsonNode agents,
        @Field("the protocol it speaks; absent for the original's runners")
                @Nullable String protocol,
        @Field(value = "runs at the same time; 64 if absent", min = 1, max = 10_000)
                @Nullable Integer capacity,
        @Field("the runs it holds") @Nullable List<String> holds) {
    public static final String PROTOCOL = "coppice/1";
}
