package dev.coppice.wire.run;

import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

/** A part of the output of a run, which stays on the host of its runner. */
public record OutputView(
        @Field(value = "the run", example = Descriptions.RUN_ID) String runId,
        @Field(value = "its state when it was asked for", example = "running") String state,
        @Field("whether the run had ended, so that this output does not grow") boolean ended,
        @Field("standard output; null if it is unavailable") @Nullable Part stdout,
        @Field("standard error; null if it is unavailable") @Nullable Part stderr,
        @Field("why the output is unavailable") @Nullable String unavailable) {

    /** A part of a stream, as text. */
    public record Part(
            @Field("the offset of its first byte") long offset,
            @Field("the offset of the byte after its last one, from which to continue") long next,
            @Field("the bytes in the stream now") long size,
            @Field("the text; invalid UTF-8 is replaced") String text) {}
}
