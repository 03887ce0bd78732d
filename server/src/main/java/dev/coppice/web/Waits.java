package dev.coppice.web;

import dev.coppice.access.Caller;
import dev.coppice.request.Wait;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * Bounds how many waits of one caller each change wakes: a caller may open any number of them, and
 * each reads the store when it is woken. Those above the limit take turns, and look at least once
 * in the time of silence.
 */
final class Waits {
    private final RequestLimit awake = RequestLimit.ofWaits();

    /** The answer, or null if it is not ready within the time of silence. */
    @Nullable Object within(Caller caller, Wait wait) throws InterruptedException {
        var silence = wait.silenceMax();
        long until = System.nanoTime() + silence.toNanos();
        var turn = awake.enter(caller, silence);
        if (turn.isEmpty()) return wait.within(Duration.ZERO);
        try (var _ = turn.get()) {
            return wait.within(Duration.ofNanos(Math.max(0, until - System.nanoTime())));
        }
    }
}
