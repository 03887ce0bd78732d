package dev.coppice.wire.event;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The sessions that have changed, for readers that reload what they show. */
public final class ChangeCalls {
    public static final int SESSIONS_MAX = 200;

    public static final Call<From, Call.Stream> FOLLOW =
            Call.get(
                    "follow_changes",
                    "/sse/changes",
                    From.class,
                    Call.Stream.class,
                    "Follow which sessions have events, as server-sent events; at most four frames"
                            + " a second, however much happens");

    private ChangeCalls() {}

    /** Selects where to begin. */
    public record From(
            @Field(
                            value =
                                    "the number of the last frame that the reader has seen; absent:"
                                            + " from now on",
                            min = 0)
                    @Nullable Long after) {}

    /** A frame {@code changed}. The first one has the number from which the stream follows. */
    public record Changed(
            @Field("the number of the newest event") long number,
            @Field("how many events there are since the last frame; null if that is not known")
                    @Nullable Long count,
            @Field("their sessions; null if any may have changed") @Nullable List<String> sessions,
            @Field(value = "when this was sent", example = Descriptions.TIME) String sentAt) {}
}
