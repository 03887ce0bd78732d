package dev.coppice.sim.invariant;

import dev.coppice.callback.About;
import dev.coppice.callback.Callback;
import dev.coppice.callback.CallbackState;
import dev.coppice.kernel.RunId;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.sim.World;
import dev.coppice.word.ExecutionMode;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * 5. Every end of a run in mode {@code async_callback} yields a callback to the parent, of its own
 * or in a join. Exactly one finished run carries each callback, or it is owed, held or dead.
 */
public final class EveryEndIsDeliveredOnce implements Invariant<World> {
    private final Map<String, Set<RunId>> carriers = new HashMap<>();

    /** Ended runs whose session had no parent at some point since. */
    private final Set<RunId> orphans = new HashSet<>();

    @Override
    public Optional<String> broken(World world) {
        var runs = world.allRuns().stream().collect(Collectors.toMap(Run::id, Function.identity()));
        var told = new HashSet<RunId>();
        for (var join : world.joins()) join.members().forEach(m -> told.add(m.run()));
        for (var callback : world.callbacks()) {
            if (callback.about() instanceof About.ChildEnd(_, var run)) told.add(run);
            var broken = broken(callback, runs);
            if (broken.isPresent()) return broken;
        }
        for (var run : runs.values()) {
            boolean ended = run.state() instanceof RunState.Ended;
            if (ended && world.parentOf(run.session()).isEmpty()) orphans.add(run.id());
        }
        return runs.values().stream()
                .filter(r -> !orphans.contains(r.id()))
                .filter(r ->
                        r.mode() == ExecutionMode.ASYNC_CALLBACK
                                && r.state() instanceof RunState.Ended)
                .filter(r -> world.parentOf(r.session()).isPresent())
                .filter(r -> !told.contains(r.id()))
                .findFirst()
                .map(r -> "the end of " + r.id() + " has no callback");
    }

    private Optional<String> broken(Callback callback, Map<RunId, Run> runs) {
        var seen = carriers.computeIfAbsent(callback.id().value(), _ -> new HashSet<>());
        if (callback.state() instanceof CallbackState.Carried(_, var by)) {
            seen.add(by);
            if (state(runs, by) instanceof RunState.Ended end) {
                return Optional.of(
                        "%s is still carried by %s, which has ended: %s"
                                .formatted(callback.id(), by, end));
            }
        }
        if (callback.state() instanceof CallbackState.Delivered(_, var by)) seen.add(by);
        long finished =
                seen.stream().filter(r -> state(runs, r) instanceof RunState.Finished).count();
        boolean delivered = callback.state() instanceof CallbackState.Delivered;
        return finished == (delivered ? 1 : 0)
                ? Optional.empty()
                : Optional.of(
                        "%s is %s and %d finished runs carried it"
                                .formatted(callback.id(), callback.state(), finished));
    }

    private static RunState state(Map<RunId, Run> runs, RunId run) {
        var found = runs.get(run);
        if (found == null) throw new IllegalStateException("there is no " + run);
        return found.state();
    }
}
