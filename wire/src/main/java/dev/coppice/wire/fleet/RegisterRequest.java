package dev.coppice.wire.fleet;

import com.fasterxml.jackson.annotation.JsonIgnore;

import dev.coppice.wire.Field;
import dev.coppice.wire.Sizes;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The registration of a runner. If it sends {@code protocol}, it is a runner of Coppice: it uses
 * fences, confirms claims, and reports the runs that it holds.
 */
public record RegisterRequest(
        @Field(value = "its host", chars = Sizes.LABEL_CHARS_MAX, example = "build-1")
                String hostname,
        @Field(value = "its directory", chars = Sizes.PATH_CHARS_MAX, example = "/srv/agents")
                String projectDir,
        @Field(value = "its profile", chars = Sizes.LABEL_CHARS_MAX, example = "coppice")
                String executorProfile,
        @Field(value = "the description of its executor", bytes = Sizes.METADATA_BYTES_MAX)
                @Nullable JsonNode executor,
        @Field("its tags") @Nullable List<String> tags,
        @Field(value = "claim only runs that demand one of its tags", fallback = "false")
                boolean requireMatchingTags,
        @Field(
                        value = "agents that only it runs, as {name, command, …}",
                        max = AGENTS_MAX,
                        bytes = Sizes.METADATA_BYTES_MAX)
                @Nullable List<JsonNode> agents,
        @Field("the protocol it speaks; absent for the original's runners")
                @Nullable String protocol,
        @Field(value = "the maximum number of concurrent runs; 64 if absent", min = 1, max = 10_000)
                @Nullable Integer capacity,
        @Field("the runs that it holds") @Nullable List<String> holds) {
    public static final int AGENTS_MAX = 256;

    /** Raised by a change that the version before it could not do without. */
    public static final int STEP = 1;

    private static final Pattern STEPS = Pattern.compile("coppice/([0-9]{1,6})");
    public static final String PROTOCOL = "coppice/" + STEP;

    /** The step of the protocol of a runner of Coppice; null for those of the older system. */
    @JsonIgnore
    public @Nullable Integer step() {
        var found = STEPS.matcher(protocol == null ? "" : protocol);
        return found.matches() ? Integer.valueOf(found.group(1)) : null;
    }
}
