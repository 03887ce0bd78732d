package dev.coppice.wire.fleet;

/** An order to end a run within a grace period. */
public record StopOrder(String runId, String sessionId, long graceMs) {}
