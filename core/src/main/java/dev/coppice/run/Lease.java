package dev.coppice.run;

import java.time.Instant;

/** A runner's right to a run, until a time. */
public record Lease(Holder holder, Instant until) {
    boolean isHeldBy(Holder by, Instant at) {
        return holder.equals(by) && !at.isAfter(until);
    }

    Lease renewed(Instant newUntil) {
        return new Lease(holder, newUntil);
    }
}
