package dev.coppice.sim.invariant;

import dev.coppice.removal.RemovalState;
import dev.coppice.sim.World;
import dev.coppice.stop.StopId;
import dev.coppice.stop.TreeStop;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** 9. When the stop of a tree is over, no session of the tree is live. */
public final class AStopLeavesNoLiveSession implements Invariant<World> {
    private final Set<StopId> looked = new HashSet<>();

    @Override
    public Optional<String> broken(World world) {
        for (var stop : world.treeStops()) {
            if (!stop.isOver() || !looked.add(stop.id()) || isCalledOff(world, stop)) continue;
            var broken = broken(world, stop);
            if (broken.isPresent()) return broken;
        }
        return Optional.empty();
    }

    /** True if the removal that asked for the stop was cancelled, or the top was removed alone. */
    private static boolean isCalledOff(World world, TreeStop stop) {
        if (!world.isThere(stop.top())) return true;
        return world.removals().stream()
                .filter(r ->
                        r.state() instanceof RemovalState.TakingBack
                                || r.state() instanceof RemovalState.TakenBack)
                .anyMatch(r -> r.why().equals(stop.order().reason()));
    }

    private static Optional<String> broken(World world, TreeStop stop) {
        return world.sessions().stream()
                .filter(s -> s.state().isAlive() && world.isWithin(s.id(), stop.top()))
                .findFirst()
                .map(s -> "%s is over, and %s is %s".formatted(stop.id(), s.id(), s.state()));
    }
}
