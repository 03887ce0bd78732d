package dev.coppice.operations.fleet;

import dev.coppice.blueprints.Registries;
import dev.coppice.fleet.Runner;
import dev.coppice.kernel.RunnerId;
import dev.coppice.wire.fleet.RunnerCalls.Polled;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The scripts that each of the originals' procedural runners was told of. What it lacks follows
 * from the difference to the registry, so a script that was edited by hand is not forgotten.
 */
public final class ScriptSyncs {
    private final Registries registries;
    private final Map<RunnerId, Map<String, List<Object>>> told = new ConcurrentHashMap<>();

    public ScriptSyncs(Registries registries) {
        this.registries = registries;
    }

    /** A runner that registers anew may have lost what it had. */
    void forget(RunnerId runner) {
        told.remove(runner);
    }

    /** The order to download and delete scripts; empty if this runner needs none. */
    Optional<Polled> due(Optional<Runner> runner) {
        return runner.filter(ScriptSyncs::downloadsScripts).flatMap(r -> due(r.id()));
    }

    private static boolean downloadsScripts(Runner runner) {
        return runner.protocol() == Runner.Protocol.ORIGINAL
                && runner.skills().executorType().equals("procedural");
    }

    private Optional<Polled> due(RunnerId runner) {
        var now = registries.scriptStamps();
        var last = told.put(runner, now);
        var before = last == null ? Map.<String, List<Object>>of() : last;
        var changed =
                now.keySet().stream()
                        .filter(name -> !Objects.equals(now.get(name), before.get(name)))
                        .toList();
        var gone = before.keySet().stream().filter(name -> !now.containsKey(name)).toList();
        if (changed.isEmpty() && gone.isEmpty()) return Optional.empty();
        return Optional.of(
                new Polled(
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        changed,
                        gone.stream().sorted().toList()));
    }
}
