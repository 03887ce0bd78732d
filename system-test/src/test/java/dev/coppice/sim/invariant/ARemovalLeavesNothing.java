package dev.coppice.sim.invariant;

import dev.coppice.removal.Choices;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalState;
import dev.coppice.sim.World;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * 7 and 10. Every removal ends, or waits with its reason shown. A hidden tree is complete and has
 * no process. No row, directory or preserved copy is left that refers to something purged.
 */
public final class ARemovalLeavesNothing implements Invariant {
    @Override
    public Optional<String> broken(World world) {
        var leftovers = world.leftovers();
        if (!leftovers.isEmpty()) return Optional.of("left over: " + leftovers);
        var working = world.removals().stream().flatMap(r -> working(world, r)).findFirst();
        if (working.isPresent() || !world.isCalm()) return working;
        var left = world.leftOnDisk();
        if (!left.isEmpty()) return Optional.of("left on a disk: " + left);
        return world.removals().stream()
                .filter(r -> !r.state().isOver() && !(r.state() instanceof RemovalState.Hidden))
                .findFirst()
                .map(r -> r.id() + " is still " + r.state());
    }

    /** Processes of a hidden tree, unless the removal chose not to wait for unreachable runners. */
    private static Stream<String> working(World world, Removal removal) {
        boolean waited = removal.choices().unreachable() == Choices.Unreachable.WAIT;
        if (!waited || !(removal.state() instanceof RemovalState.Hidden)) return Stream.of();
        return world.atWork(removal).stream().map(r -> removal.id() + " is hidden, and runs " + r);
    }
}
