package dev.coppice.sim.invariant;

import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalState;
import dev.coppice.sim.World;
import dev.coppice.word.Choice;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * No row refers to a missing one, and no hidden tree has a process. In a calm world every removal
 * is over or hidden, no purged session has a directory, and no undone or cancelled removal a copy.
 */
public final class ARemovalLeavesNothing implements Invariant<World> {
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

    /** Describes each process of a hidden tree. Skips removals that do not wait for runners. */
    private static Stream<String> working(World world, Removal removal) {
        boolean waited = removal.choices().unreachable() == Choice.Unreachable.WAIT;
        if (!waited || !(removal.state() instanceof RemovalState.Hidden)) return Stream.of();
        return world.atWork(removal).stream()
                .map(r -> removal.id() + " is hidden, but a process of " + r + " lives");
    }
}
