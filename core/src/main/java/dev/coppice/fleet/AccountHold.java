package dev.coppice.fleet;

import java.time.Instant;

/** An account that has met its limit: nothing new is started on it until then. */
public record AccountHold(String account, Instant until, int failures, String reason) {}
