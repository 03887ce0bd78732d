package dev.coppice.wire.fleet;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The answer to POST /runner/register. */
public record RegisteredView(
        String runnerId,
        String pollEndpoint,
        int pollTimeoutSeconds,
        int heartbeatIntervalSeconds,
        int leaseSeconds,
        int capacity,
        @JsonInclude(JsonInclude.Include.NON_NULL)
                @Field("fields of the request that have no effect yet")
                @Nullable List<String> ignored) {}
