package dev.coppice.sim.invariant;

import dev.coppice.sim.FaceWorld;

import java.util.Optional;

/** While a write is under way, nothing else takes time: every other writer waits for it. */
public final class TheWriterWaitsForNothing implements Invariant<FaceWorld> {
    @Override
    public Optional<String> broken(FaceWorld world) {
        return world.waitsWithinWrites().stream()
                .findFirst()
                .map(what -> what + " was waited for within a write");
    }
}
