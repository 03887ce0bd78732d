package dev.coppice.fleet;

import java.time.Instant;

/** A hold on an account that has hit its limit: no run starts on it before {@code until}. */
public record AccountHold(String account, Instant until, int failures, String reason) {}
