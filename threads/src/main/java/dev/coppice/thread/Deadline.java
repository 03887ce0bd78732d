package dev.coppice.thread;

import java.time.Duration;

/** The end of a wait. It does not move when the clock of the machine is set. */
public final class Deadline {
    private final long nanos;

    private Deadline(long nanos) {
        this.nanos = nanos;
    }

    public static Deadline in(Duration patience) {
        return new Deadline(System.nanoTime() + patience.toNanos());
    }

    /** The time that is left; zero when the wait is over. */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }

    public boolean isOver() {
        return nanos - System.nanoTime() <= 0;
    }
}
