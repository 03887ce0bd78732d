package dev.coppice.originals.runner;

import dev.coppice.blueprints.Registries;
import dev.coppice.fleet.Runner;
import dev.coppice.kernel.RunnerId;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The scripts that were announced to each older procedural runner. It gets the difference to the
 * registry, so a script that was edited by hand is included.
 */
final class ScriptSyncs {
    private static final Duration WHOLE_EVERY = Duration.ofMinutes(10);
    private final Registries registries;
    private final InstantSource clock;
    private final Map<RunnerId, Told> told = new ConcurrentHashMap<>();

    /** The scripts that were announced to a runner, and the time at which all were. */
    private record Told(Map<String, List<Object>> stamps, Instant whole) {
        static final Told NOTHING = new Told(Map.of(), Instant.MIN);
    }

    ScriptSyncs(Registries registries, InstantSource clock) {
        this.registries = registries;
        this.clock = clock;
    }

    /** A runner that registers anew may have lost what it had. */
    void forget(RunnerId runner) {
        told.remove(runner);
    }

    /** The order to download and delete scripts; empty if this runner needs none. */
    Optional<FlatPolled> due(Optional<Runner> runner) {
        return runner.filter(ScriptSyncs::downloadsScripts).flatMap(r -> due(r.id()));
    }

    private static boolean downloadsScripts(Runner runner) {
        return runner.protocol() == Runner.Protocol.UNFENCED
                && runner.skills().executorType().equals("procedural");
    }

    private Optional<FlatPolled> due(RunnerId runner) {
        var now = registries.scriptStamps();
        var last = told.getOrDefault(runner, Told.NOTHING);
        var present = clock.instant();
        boolean isOld = last.whole().isBefore(present.minus(WHOLE_EVERY));
        told.put(runner, new Told(now, isOld ? present : last.whole()));
        // Announce all from time to time: an answer may be lost, and runners do not report theirs.
        var before = isOld ? Map.<String, List<Object>>of() : last.stamps();
        var changed =
                now.keySet().stream()
                        .filter(name -> !Objects.equals(now.get(name), before.get(name)))
                        .toList();
        var gone = last.stamps().keySet().stream().filter(name -> !now.containsKey(name)).toList();
        if (changed.isEmpty() && gone.isEmpty()) return Optional.empty();
        return Optional.of(FlatPolled.scripts(changed, gone.stream().sorted().toList()));
    }
}
