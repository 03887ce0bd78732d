package dev.coppice.fleet;

import java.time.Duration;

/** Lengths of leases. Unfenced runners renew only every minute, so theirs are longer. */
public record Leases(Duration claim, Duration run, Duration unfencedRun) {
    public static final Leases DEFAULT =
            new Leases(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(150));

    Duration ofClaim(Runner.Protocol protocol) {
        return switch (protocol) {
            case FENCED -> claim;
            // An unfenced runner starts the process unconfirmed and cannot be told that it is late.
            case UNFENCED -> unfencedRun;
        };
    }

    public Duration ofRun(Runner.Protocol protocol) {
        return switch (protocol) {
            case FENCED -> run;
            case UNFENCED -> unfencedRun;
        };
    }
}
