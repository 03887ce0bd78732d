package dev.coppice.wire.fleet;

/** The answer to POST /runner/register. */
public record RegisteredView(
        String runnerId,
        String pollEndpoint,
        int pollTimeoutSeconds,
        int heartbeatIntervalSeconds,
        int leaseSeconds,
        int capacity) {}
