package dev.coppice.scene;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that tests advance. */
public final class Clock implements InstantSource {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public Instant instant() {
        return now;
    }

    public void pass(Duration length) {
        now = now.plus(length);
    }
}
