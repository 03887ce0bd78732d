package dev.coppice.sim.invariant;

import dev.coppice.sim.World;

import java.util.Optional;

/** Something that must always hold; looked at after every step. */
public interface Invariant {
    /** What is wrong, if anything is. */
    Optional<String> broken(World world);

    default String name() {
        return getClass().getSimpleName();
    }
}
