package dev.coppice.wire.run;

import dev.coppice.wire.Field;

/** A run whose session was removed while a caller waited for it. */
public record RunGone(
        @Field("the run") String runId,
        @Field("always stopped") String status,
        @Field("always stopped") String state,
        @Field("a description of the removal") String error,
        @Field("when the removal was noticed") String completedAt,
        @Field("always true") boolean removed)
        implements RunAnswer {}
