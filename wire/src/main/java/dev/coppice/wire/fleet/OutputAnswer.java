package dev.coppice.wire.fleet;

import dev.coppice.wire.Field;
import dev.coppice.wire.run.OutputView;

import org.jspecify.annotations.Nullable;

/** The answer of a runner to an {@link OutputOrder}: both streams, or why there are none. */
public record OutputAnswer(
        @Field("standard output") OutputView.@Nullable Part stdout,
        @Field("standard error") OutputView.@Nullable Part stderr,
        @Field("why there is no output") @Nullable String error) {}
