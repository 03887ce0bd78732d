package dev.coppice.wire.run;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Length;
import dev.coppice.wire.Patience;
import dev.coppice.wire.Said;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.session.SessionCalls;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Stopping a session or a tree, and suspending a tree. */
public final class StopCalls {
    public static final Call<Stop, StopAnswer> STOP =
            Call.post(
                            "stop_session",
                            "/sessions/{session_id}/stop",
                            Stop.class,
                            StopAnswer.class,
                            "Stop a session, or with scope 'tree' all below it too; asking again"
                                    + " joins the stop under way")
                    .takesLong();
    public static final Call<Await, TreeStopView> READ =
            Call.get(
                            "read_stop",
                            "/stops/{stop_id}",
                            Await.class,
                            TreeStopView.class,
                            "Read the stop of a tree")
                    .takesLong();
    public static final Call<SessionCalls.At, Frozen> FREEZE =
            Call.post(
                    "freeze_tree",
                    "/sessions/{session_id}/freeze",
                    SessionCalls.At.class,
                    Frozen.class,
                    "Suspend a session and all below it");
    public static final Call<SessionCalls.At, Frozen> THAW =
            Call.post(
                    "thaw_tree",
                    "/sessions/{session_id}/thaw",
                    SessionCalls.At.class,
                    Frozen.class,
                    "Let a session and all below it continue");

    private StopCalls() {}

    /** What a stop reaches. */
    public enum Scope {
        SESSION,
        TREE
    }

    /** What to stop, and how patiently. */
    public record Stop(
            @Field(value = Said.SESSION, example = "s1") String sessionId,
            @Field(value = "the session alone, or all below it too", fallback = "session")
                    Scope scope,
            @Field(
                            value = "how long processes have before they are killed",
                            fallback = "5s",
                            max = Sizes.DEADLINE_SECONDS_MAX)
                    Length deadline,
            @Field(
                            value = "why",
                            fallback = "Session was manually stopped",
                            chars = Sizes.LABEL_CHARS_MAX)
                    String reason,
            @Inline Patience patience) {}

    /** A stop of a tree, and how long to wait for its end. */
    public record Await(@Field("the stop") String stopId, @Inline Patience patience) {}

    /** What came of a stop. */
    public sealed interface StopAnswer {}

    /** A session that was stopped alone. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SessionStopped(
            @Field("always true") boolean ok,
            @Field(Said.SESSION) String sessionId,
            @Field("its status now") String status,
            @Field("the run that was stopped") @Nullable String runId,
            @Field("what there is to say about it") @Nullable String message)
            implements StopAnswer {}

    /** A tree that is being stopped, or was. */
    public record TreeStopView(
            @Field("always true") boolean ok,
            @Field("the stop") String stopId,
            @Field("the session at the top") String sessionId,
            @Field("always tree") String scope,
            @Field("true once nothing of the tree runs") boolean over,
            @Field("why") String reason,
            @Field("when it began") String beganAt,
            @Field("when it was over") @Nullable String endedAt,
            @Field("the sessions it stops") List<Member> sessions)
            implements StopAnswer {}

    /** A session of a tree that is being stopped. */
    public record Member(
            @Field(Said.SESSION) String sessionId,
            @Field(Said.NAME) String sessionName,
            @Field("its state") String state,
            @Field("why it ended so") @Nullable String reason) {}

    /** What was suspended or let go on. */
    public record Frozen(
            @Field("always true") boolean ok,
            @Field(Said.SESSION) String sessionId,
            @Field("how many sessions changed") int sessions) {}
}
