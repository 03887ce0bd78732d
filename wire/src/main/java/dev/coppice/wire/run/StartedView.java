package dev.coppice.wire.run;

import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;

/** A run that was started. */
public record StartedView(
        @Field(value = "the run", example = Descriptions.RUN_ID) String runId,
        @Field(Descriptions.SESSION) String sessionId,
        @Field(Descriptions.NAME) String sessionName,
        @Field(value = "its status", example = "pending") String status)
        implements RunAnswer {}
