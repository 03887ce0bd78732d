package dev.coppice.wire.run;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Length;
import dev.coppice.wire.Patience;
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
                            "Stop a session, or with scope 'tree' also all below it; a repeated"
                                    + " request joins the stop in progress")
                    .takesLong()
                    .destructive()
                    .audited()
                    .older();
    public static final Call<SessionCalls.At, Plan> PLAN =
            Call.get(
                    "plan_stop",
                    "/sessions/{session_id}/stop",
                    SessionCalls.At.class,
                    Plan.class,
                    "List the live sessions that a stop would end");
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
                            "Suspend a session and all below it")
                    .audited();
    public static final Call<SessionCalls.At, Frozen> THAW =
            Call.post(
                            "thaw_tree",
                            "/sessions/{session_id}/thaw",
                            SessionCalls.At.class,
                            Frozen.class,
                            "Continue a frozen session and all below it")
                    .audited();

    private StopCalls() {}

    /** The scopes of a stop. */
    public enum Scope {
        SESSION,
        TREE
    }

    /** The request to stop a session or tree. */
    public record Stop(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Field(value = "the session alone, or also all below it", fallback = "session")
                    Scope scope,
            @Field(
                            value = "the time before processes are killed",
                            fallback = "5s",
                            max = Sizes.DEADLINE_SECONDS_MAX)
                    Length deadline,
            @Field(
                            value = "the reason",
                            fallback = "Session was manually stopped",
                            chars = Sizes.LABEL_CHARS_MAX)
                    String reason,
            @Inline Patience patience) {}

    /** The live sessions that a stop would end; of very many only the first. */
    public record Plan(
            @Field("the session") Member session,
            @Field("those below it that end with its tree") List<Member> tree,
            @Field("those below it that end even if it is stopped alone") List<Member> alone) {}

    /** A stop of a tree, and the time to wait for its end. */
    public record Await(@Field("the stop") String stopId, @Inline Patience patience) {}

    /** The result of a stop. */
    public sealed interface StopAnswer {}

    /** A session that was stopped alone. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SessionStopped(
            @Field("always true") boolean ok,
            @Field(Descriptions.SESSION) String sessionId,
            @Field("its status now") String status,
            @Field("the run that was stopped") @Nullable String runId,
            @Field("a note about the stop") @Nullable String message)
            implements StopAnswer {}

    /** The stop of a tree, in progress or over. */
    public record TreeStopView(
            @Field("always true") boolean ok,
            @Field("the stop") String stopId,
            @Field("the session at the top") String sessionId,
            @Field("always tree") String scope,
            @Field("true once no session of the tree is live") boolean over,
            @Field("the reason of the stop") String reason,
            @Field("when it began") String beganAt,
            @Field("when it ended") @Nullable String endedAt,
            @Field("the sessions it stops") List<Member> sessions)
            implements StopAnswer {}

    /** A session of a tree that is being stopped. */
    public record Member(
            @Field(Descriptions.SESSION) String sessionId,
            @Field(Descriptions.NAME) String sessionName,
            @Field("its state") String state,
            @Field("the reason of its state") @Nullable String reason) {}

    /** The result of a freeze or thaw. */
    public record Frozen(
            @Field("always true") boolean ok,
            @Field(Descriptions.SESSION) String sessionId,
            @Field("the number of sessions frozen or thawed") int sessions) {}
}
