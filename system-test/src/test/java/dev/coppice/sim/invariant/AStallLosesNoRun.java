package dev.coppice.sim.invariant;

import dev.coppice.sim.World;

import java.util.Optional;

/** A run whose lease was valid when the writer became busy outlives that, however long it takes. */
public final class AStallLosesNoRun implements Invariant<World> {
    @Override
    public Optional<String> broken(World world) {
        return world.lostInStalls().stream()
                .findFirst()
                .map(run -> run.id() + " lost its lease while the writer was busy");
    }
}
