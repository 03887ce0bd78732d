package dev.coppice.run;

import dev.coppice.kernel.Outcome;

import java.time.Duration;
import java.time.Instant;

/** The events of a run that the fleet causes: claim, renewal and return. */
public final class TakeRun {
    private final Ports ports;
    private final MoveRun move;

    public TakeRun(Ports ports) {
        this.ports = ports;
        this.move = new MoveRun(ports);
    }

    public Outcome<Run> take(Run run, Lease lease) {
        return move.move(run, new RunEvent.Taken(lease, ports.clock().instant()));
    }

    /** Renews a lease from now on, if it was live when the renewal arrived. */
    public Outcome<Run> renew(Run run, Holder by, Duration length, Instant came) {
        var until = ports.clock().instant().plus(length);
        return move.move(run, new RunEvent.Renewed(by, until, came));
    }

    /** Queues a run again after the answer with its claim was lost. */
    public Outcome<Run> returned(Run run) {
        var now = ports.clock().instant();
        return move.move(run, new RunEvent.ClaimLapsed(now, "the answer was lost"));
    }

    /** Ends a run that its runner no longer holds; an unconfirmed one is queued again. */
    public Outcome<Run> givenUp(Run run, String reason) {
        return move.move(run, new RunEvent.RunnerVanished(ports.clock().instant(), reason));
    }
}
