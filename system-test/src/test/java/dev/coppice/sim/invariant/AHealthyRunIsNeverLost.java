package dev.coppice.sim.invariant;

import dev.coppice.sim.FaceWorld;

import java.util.Optional;

/**
 * A run whose runner renews its lease in time is never lost, and its runner is never told so,
 * however long renewals and sweeps wait for the writer.
 */
public final class AHealthyRunIsNeverLost implements Invariant<FaceWorld> {
    @Override
    public Optional<String> broken(FaceWorld world) {
        return world.lostByHealthyRunners().stream()
                .findFirst()
                .map(run -> run + " was lost although its lease was renewed in time");
    }
}
