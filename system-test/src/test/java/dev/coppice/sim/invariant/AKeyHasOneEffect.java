package dev.coppice.sim.invariant;

import dev.coppice.sim.FaceWorld;

import java.util.Optional;

/** A request that is repeated with its key gets the first answer again. */
public final class AKeyHasOneEffect implements Invariant<FaceWorld> {
    @Override
    public Optional<String> broken(FaceWorld world) {
        return world.otherAnswers().stream().findFirst();
    }
}
