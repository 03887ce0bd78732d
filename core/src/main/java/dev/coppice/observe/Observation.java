package dev.coppice.observe;

import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * An event of an agent, which Coppice need not have started. {@code agent} is the subagent that
 * sent it; null for the session's own events. The body is the whole message as received.
 */
public record Observation(
        SessionId session,
        @Nullable String agent,
        String type,
        Instant sentAt,
        Message message,
        Hints hints) {

    /**
     * The message with its size in bytes. A message that was not sent is a declaration about the
     * session: it stays in the history, but is not listed as a sent event.
     */
    public record Message(JsonText body, int bytes, boolean isSent) {
        public Message(JsonText body, int bytes) {
            this(body, bytes, true);
        }

        public static Message declared(JsonText body, int bytes) {
            return new Message(body, bytes, false);
        }
    }

    /** A sign of an agent in the telemetry of its program; it is not stored as an event. */
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

    /** The parts of an event that concern the tree and states. All are optional but the moment. */
    public record Hints(
            @Nullable String app,
            @Nullable String agentType,
            @Nullable String wave,
            @Nullable SessionId parent,
            @Nullable Spawn spawn,
            Moment moment) {}

    /** The signs that an agent starts another. */
    public sealed interface Spawn {
        /** An agent called for an agent of this type, whose id is not known yet. */
        record Called(String call, String agentType) implements Spawn {}

        /** An agent of this type began; the event does not name its call. */
        record Begun(String agentType) implements Spawn {}

        /** The answer to the call, with the id of the new agent: a certain sign of an edge. */
        record Answered(
                @Nullable String call, String agent, @Nullable String agentType, boolean hasEnded)
                implements Spawn {}

        /** The call was answered without the id of an agent. */
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
