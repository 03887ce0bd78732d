package dev.coppice.wire.callback;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Length;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Patience;
import dev.coppice.wire.Sizes;
import dev.coppice.word.JoinKind;
import dev.coppice.word.WhenBusy;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Callbacks, joins and messages, which wake sessions. */
public final class CallbackCalls {
    public static final Call<Find, Page> LIST =
            Call.get(
                    "list_callbacks",
                    "/callbacks",
                    Find.class,
                    Page.class,
                    "List callbacks, newest first");
    public static final Call<At, CallbackView> READ =
            Call.get(
                    "read_callback",
                    "/callbacks/{callback_id}",
                    At.class,
                    CallbackView.class,
                    "Read a callback");
    public static final Call<At, CallbackView> REDELIVER =
            Call.post(
                    "redeliver_callback",
                    "/callbacks/{callback_id}/redeliver",
                    At.class,
                    CallbackView.class,
                    "Deliver a dead callback again");
    public static final Call<Message, CallbackView> SEND =
            Call.post(
                            "send_message",
                            "/sessions/{session_id}/messages",
                            Message.class,
                            CallbackView.class,
                            "Send a message to a live session")
                    .creates()
                    .repeatable();
    public static final Call<OpenJoin, JoinView> JOIN =
            Call.post(
                            "open_join",
                            "/sessions/{session_id}/joins",
                            OpenJoin.class,
                            JoinView.class,
                            "Wake a session when enough of its children have ended")
                    .creates()
                    .repeatable();
    public static final Call<JoinAt, JoinView> READ_JOIN =
            Call.get("read_join", "/joins/{join_id}", JoinAt.class, JoinView.class, "Read a join");

    public static final Call<Take, Taken> TAKE =
            Call.post(
                            "take_messages",
                            "/runs/{run_id}/messages",
                            Take.class,
                            Taken.class,
                            "Take the messages that a run's agent may hear within its turn; what"
                                    + " it has not heard when it ends is delivered later")
                    .takesLong();

    static final long JOIN_SECONDS_MAX = 30 * 86_400;

    static final int SEEN_MAX = 1_000;
    static final int SESSIONS_MAX = 200;

    private CallbackCalls() {}

    /** The states of a callback. */
    public enum State {
        OWED,
        HELD,
        CARRIED,
        DELIVERED,
        JOINED,
        DEAD
    }

    /** The callback in the path. */
    public record At(
            @Field(value = "the callback", example = "cb_0123456789ab") String callbackId) {}

    /** The join in the path. */
    public record JoinAt(@Field("the join") String joinId) {}

    /** Selects the callbacks to list. */
    public record Find(
            @Field(value = "only these states, comma-separated", example = "owed,dead")
                    @Nullable List<State> state,
            @Field("only callbacks that wake this session") @Nullable String sessionId,
            @Inline Paging page) {}

    /** A page of callbacks. */
    public record Page(
            @Field("the callbacks") List<CallbackView> callbacks,
            @Field(Descriptions.NEXT) @Nullable String next) {}

    public record Message(
            @Field(value = "the session to send it to", example = "s1") String sessionId,
            @Field(
                            value = "the message",
                            example = "skip the appendix",
                            bytes = Sizes.PARAMETERS_BYTES_MAX)
                    String text,
            @Field(
                            value =
                                    "the policy if the session has a live run; steer reaches its"
                                            + " turn where the program can, and else queues",
                            fallback = "queue")
                    WhenBusy whenBusy,
            @Field(value = "the time for an interrupted run to end", fallback = "5s")
                    Length deadline) {}

    /** Selects the messages that a run takes. */
    public record Take(
            @Field("the run") String runId,
            @Field(
                            value =
                                    "also takes messages that people have sent since then, as the"
                                            + " agent waits for their answer",
                            example = Descriptions.TIME)
                    @Nullable String answersSince,
            @Field(value = "messages that were taken and are not heard yet", max = SEEN_MAX)
                    @Nullable List<String> seen,
            @Field(value = "messages that the program has heard", max = SEEN_MAX)
                    @Nullable List<String> heard,
            @Field(value = "sessions without runs that the program works for", max = SESSIONS_MAX)
                    @Nullable List<String> sessions,
            @Inline Patience patience) {}

    /** The messages that were taken. */
    public record Taken(
            @Field("the messages, in their order") List<CallbackView> messages,
            @Field("those of 'sessions' that somebody has ended") List<String> ended,
            @Field(value = "the coordinator's time", example = Descriptions.TIME) String now) {}

    /** A join to open. */
    public record OpenJoin(
            @Field(value = "the session that waits", example = "s1") String sessionId,
            @Field(value = "the children, by name or id", min = 1, max = 1000, example = "draft")
                    List<String> children,
            @Field(value = "the number of children to wait for", fallback = "all") JoinKind until,
            @Field(value = "the number, if until=some", min = 1) @Nullable Integer count,
            @Field(value = "the longest wait", fallback = "1h", min = 1, max = JOIN_SECONDS_MAX)
                    Length timeout) {}
}
