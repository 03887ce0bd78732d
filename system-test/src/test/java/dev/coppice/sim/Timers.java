package dev.coppice.sim;

import dev.coppice.scene.Clock;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Actions at set times of a clock that only tests advance. */
final class Timers {
    private final Clock clock;
    private final PriorityQueue<Timer> timers =
            new PriorityQueue<>(Comparator.comparing(Timer::at).thenComparingLong(Timer::number));
    private long number;

    private record Timer(Instant at, long number, Runnable what) {}

    Timers(Clock clock) {
        this.clock = clock;
    }

    void after(Duration time, Runnable what) {
        timers.add(new Timer(clock.instant().plus(time), number++, what));
    }

    /** Lets time pass, and happen what is due. It may let time pass itself, also beyond. */
    void passUntil(Instant until) {
        while (!timers.isEmpty() && !timers.peek().at().isAfter(until)) {
            var due = timers.remove();
            advance(due.at());
            due.what().run();
        }
        advance(until);
    }

    private void advance(Instant to) {
        if (to.isAfter(clock.instant())) clock.pass(Duration.between(clock.instant(), to));
    }
}
