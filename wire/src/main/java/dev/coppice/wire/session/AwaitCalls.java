package dev.coppice.wire.session;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Patience;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The call that waits for several sessions. */
public final class AwaitCalls {
    public static final int SESSIONS_MAX = 100;

    public static final Call<Await, Awaited> AWAIT =
            Call.get(
                    "await_sessions",
                    "/awaited-sessions",
                    Await.class,
                    Awaited.class,
                    "Show which of several sessions are over; with 'wait' answer when enough of"
                            + " them are");

    private AwaitCalls() {}

    /** Selects the sessions to wait for. */
    public record Await(
            @Field(value = "their ids, comma-separated", min = 1, max = SESSIONS_MAX)
                    List<String> sessionIds,
            @Field(
                            value = "how many of them must be over; all of them if absent",
                            min = 1,
                            max = SESSIONS_MAX)
                    @Nullable Integer count,
            @Inline Patience patience) {}

    /** The sessions, and whether enough of them are over. */
    public record Awaited(
            @Field("true if enough of them are over") boolean isMet,
            @Field("the sessions, in the order of the request") List<Seen> sessions) {}

    /** A session that is waited for. */
    public record Seen(
            @Field("the id of the session") String sessionId,
            @Field("its name; null if it was removed") @Nullable String sessionName,
            @Field("its state, or removed") String status,
            @Field("why it ended so") @Nullable String reason,
            @Field("true if it has ended, was removed, or is idle") boolean isOver) {}
}
