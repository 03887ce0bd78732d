package dev.coppice.observe;

import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * An event that an agent sent, which Coppice need not have started. {@code agent} is the subagent
 * of the session that sent it; null for the session's own. The body is the whole message as it
 * came.
 */
public record Observation(
        SessionId session,
        @Nullable String agent,
        String type,
        Instant sentAt,
        Message message,
        Hints hints) {

    /**
     * The message with its size in bytes. One that was not sent is what someone declared of the
     * session: it stays in its history, and is no event of a sender.
     */
    public record Message(JsonText body, int bytes, boolean isSent) {
        public Message(JsonText body, int bytes) {
            this(body, bytes, true);
        }

        public static Message declared(JsonText body, int bytes) {
            return new Message(body, bytes, false);
        }
    }

    /** A sign of an agent in a program that its telemetry gives; it is no event. */
    public static Observation telemetry(
            SessionId session, @Nullable String agent, String app, Moment moment, Instant at) {
        var hints = new Hints(app, null, null, null, null, moment);
        return new Observation(session, agent, "telemetry", at, NO_MESSAGE, hints);
    }

    private static final Message NO_MESSAGE = new Message(JsonText.EMPTY_OBJECT, 2);

    /** The sign that another agent of the session works. */
    Observation of(String other) {
        var app = hints.app() == null ? "agent" : hints.app();
        return telemetry(session, other, app, Moment.WORKS, sentAt);
    }

    /** The parts of an event that tell of the tree and of states. All of them are optional. */
    public record Hints(
            @Nullable String app,
            @Nullable String agentType,
            @Nullable String wave,
            @Nullable SessionId parent,
            @Nullable Spawn spawn,
            Moment moment) {}

    /** The signs that an agent starts another. */
    public sealed interface Spawn {
        /** An agent called for another of a type, whose id is not known yet. */
        record Called(String call, String agentType) implements Spawn {}

        /** An agent of a type began; which call it answers is not told. */
        record Begun(String agentType) implements Spawn {}

        /** The answer to the call, with the id of the other: the one certain sign of an edge. */
        record Answered(
                @Nullable String call, String agent, @Nullable String agentType, boolean hasEnded)
                implements Spawn {}

        /** The call was answered without the id of another. */
        record Unanswered(String call) implements Spawn {}
    }

    /** The effect of an event on the state of the session that sent it. */
    public enum Moment {
        /** Nothing, such as a notification. */
        NONE,
        WORKS,
        WAITS,
        ENDS,
        FAILS
    }
}
