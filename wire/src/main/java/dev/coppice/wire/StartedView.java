package dev.coppice.wire;

/** The answer to POST /runs. */
public record StartedView(String runId, String sessionId, String sessionName, String status) {}
