package dev.coppice.run;

import dev.coppice.kernel.Demands;

import org.jspecify.annotations.Nullable;

/**
 * The queued runs with the same demands and the same account: a runner can take all of them or
 * none. A claim looks at the first run of each lane, however many wait behind it.
 */
public record Lane(String name, Demands demands, @Nullable String account) {
    /** A queued run, its place among all runs, and a fence higher than all of its earlier ones. */
    public record First(Run run, long place, long fence) {}
}
