package dev.coppice.fleet;

import java.time.Duration;

/** How long rights last. The original's runners renew only every minute, so theirs last longer. */
public record Leases(Duration claim, Duration run, Duration originalRun) {
    public static final Leases DEFAULT =
            new Leases(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(150));

    Duration ofClaim(Runner.Protocol protocol) {
        return switch (protocol) {
            case FENCED -> claim;
            // It starts the process before it confirms, and cannot be told that it was too late.
            case ORIGINAL -> originalRun;
        };
    }

    public Duration ofRun(Runner.Protocol protocol) {
        return switch (protocol) {
            case FENCED -> run;
            case ORIGINAL -> originalRun;
        };
    }
}
