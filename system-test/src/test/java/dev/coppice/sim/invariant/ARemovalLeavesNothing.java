package dev.coppice.sim.invariant;

import dev.coppice.removal.RemovalState;
import dev.coppice.sim.World;

import java.util.Optional;

/**
 * 7 and 10. Every removal ends, or waits with its reason shown; what is out of sight is whole, and
 * nothing is left that hangs on something that is gone.
 */
public final class ARemovalLeavesNothing implements Invariant {
    @Override
    public Optional<String> broken(World world) {
        var leftovers = world.leftovers();
        if (!leftovers.isEmpty()) return Optional.of("left over: " + leftovers);
        if (!world.isCalm()) return Optional.empty();
        return world.removals().stream()
                .filter(r -> !r.state().isOver() && !(r.state() instanceof RemovalState.Hidden))
                .findFirst()
                .map(r -> r.id() + " is still " + r.state());
    }
}
