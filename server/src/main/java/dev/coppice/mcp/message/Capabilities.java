package dev.coppice.mcp.message;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/** The server's capabilities; only an era with sessions has logging. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Capabilities(
        Map<String, Boolean> tools,
        Map<String, Boolean> resources,
        Map<String, Boolean> prompts,
        Map<String, Boolean> completions,
        @Nullable Map<String, Boolean> logging,
        @Nullable Map<String, Map<String, Boolean>> extensions) {}
