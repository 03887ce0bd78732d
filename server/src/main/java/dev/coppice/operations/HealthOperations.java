package dev.coppice.operations;

import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.request.Operation;
import dev.coppice.wire.HealthCalls;
import dev.coppice.wire.HealthCalls.Health;

import java.util.List;
import java.util.function.Supplier;

/** The health of the coordinator, and its version. */
public final class HealthOperations {
    private final String version;
    private final Supplier<List<String>> problems;

    /** {@code problems} lists what does not work, and returns without a long wait. */
    public HealthOperations(String version, Supplier<List<String>> problems) {
        this.version = version;
        this.problems = problems;
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(HealthCalls.HEALTH, Need.NOTHING, (_, _) -> Outcome.done(health())),
                Operation.of(
                        HealthCalls.LIVE,
                        Need.NOTHING,
                        (_, _) ->
                                Outcome.done(
                                        new Health("live", true, "coppice", version, null, null))));
    }

    private Health health() {
        var found = problems.get();
        boolean ready = found.isEmpty();
        var status = ready ? "healthy" : "unhealthy";
        return new Health(status, true, "coppice", version, ready, found);
    }
}
