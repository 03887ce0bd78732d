package dev.coppice.wire.session;

import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

/** What the frames of the live stream hold, besides sessions and events. */
public final class LiveFrames {
    private LiveFrames() {}

    /** An event, as the original wraps it. */
    public record Told(@Field("what happened") Happened data) {}

    /** An event, as the original wraps it. */
    public record Happened(@Field("the event") EventView event) {}

    /** A run failed. */
    public record Failed(
            @Field("the run") @Nullable String runId,
            @Field("why") String error,
            @Field("its session") String sessionId) {}

    /** Numbers that are gone: retention has deleted their events. */
    public record Gap(
            @Field("the first number that is gone") long from,
            @Field("the last number that is gone") long to) {}
}
