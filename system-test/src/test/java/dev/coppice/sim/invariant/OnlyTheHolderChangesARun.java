package dev.coppice.sim.invariant;

import dev.coppice.kernel.RunId;
import dev.coppice.sim.World;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** 3. A run has at most one live lease. Its fence only grows; only its holder changes the run. */
public final class OnlyTheHolderChangesARun implements Invariant<World> {
    private final Map<RunId, Long> fences = new HashMap<>();

    @Override
    public Optional<String> broken(World world) {
        for (var run : world.runs()) {
            var lease = run.state().held();
            if (lease == null) continue;
            long before = fences.getOrDefault(run.id(), 0L);
            if (lease.holder().fence() < before) {
                return Optional.of("the fence of " + run.id() + " went back");
            }
            fences.put(run.id(), lease.holder().fence());
        }
        return world.lastReport()
                .filter(report -> report.changedIt() && !report.held())
                .map(report ->
                        "%s changed %s without holding it".formatted(report.by(), report.run()));
    }
}
