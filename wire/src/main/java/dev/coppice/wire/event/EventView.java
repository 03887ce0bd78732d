package dev.coppice.wire.event;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;

import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Map;

/** An event of a session. Its details depend on its type. */
public record EventView(
        @Field("its number; numbers grow") long id,
        @Field(Descriptions.SESSION) String sessionId,
        @Field("the run it belongs to") @Nullable String runId,
        @Field(value = "its type", example = "run_start") String eventType,
        @Field(value = "when it happened", example = Descriptions.TIME) String timestamp,
        @JsonAnyGetter @JsonAnySetter Map<String, JsonNode> details) {}
