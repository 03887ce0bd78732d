package dev.coppice.wire.fleet;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Length;
import dev.coppice.wire.Method;

import org.jspecify.annotations.Nullable;

/** A coordinator that gives out no new runs, so that it can be stopped when the last one ends. */
public final class DrainCalls {
    public static final Call<Drain, Draining> DRAIN =
            Call.post(
                            "drain",
                            "/drain",
                            Drain.class,
                            Draining.class,
                            "Give out no new runs for a while, but those that a live run waits for")
                    .audited();
    public static final Call<Call.Nothing, Draining> END =
            Call.get(
                            "end_drain",
                            "/drain",
                            Call.Nothing.class,
                            Draining.class,
                            "Give out runs again")
                    .by(Method.DELETE)
                    .audited();

    private DrainCalls() {}

    /** How long to give out no new runs. */
    public record Drain(
            @Field(value = "how long; 10m if absent, at most 1d", example = "10m")
                    @Nullable Length length) {}

    /** Until when the coordinator gives out no new runs. */
    public record Draining(
            @Field(value = "until when; null if it gives them out", example = Descriptions.TIME)
                    @Nullable String until) {}
}
