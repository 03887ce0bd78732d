package dev.coppice.wire.run;

import dev.coppice.wire.Field;
import dev.coppice.wire.Said;

/** A run that was started. */
public record StartedView(
        @Field(value = "the run", example = Said.RUN_ID) String runId,
        @Field(Said.SESSION) String sessionId,
        @Field(Said.NAME) String sessionName,
        @Field(value = "its status", example = "pending") String status)
        implements RunAnswer {}
