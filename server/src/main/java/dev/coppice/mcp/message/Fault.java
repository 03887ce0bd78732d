package dev.coppice.mcp.message;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

/** The cause of a failure. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Fault(int code, String message, @Nullable Object data) {}
