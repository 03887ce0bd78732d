package dev.coppice.wire.fleet;

/** Ends a run on its runner within a time. */
public record StopOrder(String runId, String sessionId, long graceMs) {}
