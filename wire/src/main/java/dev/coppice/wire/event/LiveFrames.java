package dev.coppice.wire.event;

import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

/** The contents of frames of the live stream, besides sessions and events. */
public final class LiveFrames {
    private LiveFrames() {}

    /** An event, as it is wrapped for older clients. */
    public record Told(@Field("the event") EventView data) {}

    /** A run failed. */
    public record Failed(
            @Field("the run") @Nullable String runId,
            @Field("the reason") String error,
            @Field("its session") String sessionId) {}

    /** A range of numbers whose events retention has deleted. */
    public record Gap(
            @Field("the first deleted number") long from,
            @Field("the last deleted number") long to) {}
}
