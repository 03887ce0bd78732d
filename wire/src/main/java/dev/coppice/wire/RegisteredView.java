package dev.coppice.wire;

/** The answer to POST /runner/register. */
public record RegisteredView(
        String runnerId,
        String pollEndpoint,
        int pollTimeoutSeconds,
        int heartbeatIntervalSeconds,
        int leaseSeconds,
        int capacity) {}
