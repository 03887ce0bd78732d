package dev.coppice.sim.invariant;

import dev.coppice.sim.FaceWorld;

import java.util.Optional;

/**
 * A reader of the journal gets what its caller may see at that moment: no more, no less, in order
 * and once. This holds after a session got a parent late, was detached, hidden or brought back, and
 * after the reader came back with the number of its last entry. That moment is one between the last
 * look of the tail at the journal and the sending.
 */
public final class AFollowerSeesWhatItsCallerSees implements Invariant<FaceWorld> {
    @Override
    public Optional<String> broken(FaceWorld world) {
        return world.wrongToReaders();
    }
}
