package dev.coppice.sim.invariant;

import dev.coppice.sim.World;

import java.util.Optional;

/** A condition that must always hold; checked after every step. */
public interface Invariant {
    /** Describes the first violation, if there is one. */
    Optional<String> broken(World world);

    default String name() {
        return getClass().getSimpleName();
    }
}
