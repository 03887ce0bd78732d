package dev.coppice.sim.invariant;

import dev.coppice.kernel.RunId;
import dev.coppice.run.RunState;
import dev.coppice.sim.World;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;

/** 4. The state of an ended run never changes, and a session has at most one live run. */
public final class EndedRunsNeverChange implements Invariant<World> {
    private final Map<RunId, RunState> ended = new HashMap<>();

    @Override
    public Optional<String> broken(World world) {
        var busy = new HashSet<>();
        for (var run : world.runs()) {
            var before = ended.get(run.id());
            if (before != null && !before.equals(run.state())) {
                return Optional.of(
                        "%s had ended as %s and is now %s"
                                .formatted(run.id(), before, run.state()));
            }
            if (run.state() instanceof RunState.Ended) {
                ended.put(run.id(), run.state());
            } else if (!busy.add(run.session())) {
                return Optional.of(run.session() + " has two live runs");
            }
        }
        return Optional.empty();
    }
}
