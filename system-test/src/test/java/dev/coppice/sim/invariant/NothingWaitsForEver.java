package dev.coppice.sim.invariant;

import dev.coppice.callback.CallbackState;
import dev.coppice.callback.Join;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.sim.World;

import java.util.Optional;
import java.util.stream.Collectors;

/** In a calm world every run ends, every join is over, and every callback is settled. */
public final class NothingWaitsForEver implements Invariant<World> {
    /** Checked only when the world is calm; before that, anything may wait. */
    @Override
    public Optional<String> broken(World world) {
        if (!world.isCalm()) return Optional.empty();
        var run =
                world.runs().stream()
                        .filter(r -> !(r.state() instanceof RunState.Ended))
                        .findFirst()
                        .map(r -> "%s is still %s".formatted(r.id(), r.state()));
        var join =
                world.joins().stream()
                        .filter(Join::isOpen)
                        .findFirst()
                        .map(j -> j.id() + " is still open");
        var callback =
                world.callbacks().stream()
                        .filter(c ->
                                c.state() instanceof CallbackState.Owed
                                        || c.state() instanceof CallbackState.Carried)
                        .findFirst()
                        .map(c -> "%s is still %s".formatted(c.id(), c.state()));
        var stop =
                world.treeStops().stream()
                        .filter(s -> !s.isOver())
                        .findFirst()
                        .map(s -> s.id() + " is still under way");
        // A process is a ghost if its run has ended, and also if its run was purged.
        var live =
                world.allRuns().stream()
                        .filter(r -> !(r.state() instanceof RunState.Ended))
                        .map(Run::id)
                        .collect(Collectors.toSet());
        var ghost =
                world.atWork().stream()
                        .filter(r -> !live.contains(r))
                        .findFirst()
                        .map(r -> r + " has ended or is purged, but its process still runs");
        if (ghost.isPresent()) return ghost;
        return stop.or(() -> run).or(() -> join).or(() -> callback);
    }
}
