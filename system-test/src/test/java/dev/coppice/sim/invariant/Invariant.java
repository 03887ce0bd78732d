package dev.coppice.sim.invariant;

import java.util.Optional;

/** A condition that must always hold in a world; checked after every step. */
public interface Invariant<W> {
    /** Describes the first violation, if there is one. */
    Optional<String> broken(W world);

    default String name() {
        return getClass().getSimpleName();
    }
}
