package dev.coppice.mcp.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A result with what the later era adds to it. */
@JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Whole(
        @JsonUnwrapped Object result,
        @Nullable Long ttlMs,
        @Nullable String cacheScope,
        @Nullable String resultType,
        @JsonProperty("_meta") @Nullable Meta meta) {}
