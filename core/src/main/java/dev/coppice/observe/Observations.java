package dev.coppice.observe;

import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;
import dev.coppice.observe.Observation.Spawn;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The events that agents have sent. Every method joins the current transaction. */
public interface Observations {
    /** Returns what recording an event needs to know of a visible session. */
    Optional<Seen> look(SessionId id);

    /** Records which hooks reported the session first. */
    void toldFirst(SessionId session, String source);

    /**
     * Returns true if these hooks reported the session first, or if it has an outside process and
     * no hooks reported it.
     */
    boolean isToldFirst(SessionId session, String source);

    /**
     * Returns the session for which Coppice runs the program with this session id of its own; empty
     * if hooks reported a session with this id, whatever an agent claims.
     */
    Optional<SessionId> runOf(SessionId program);

    /**
     * Appends an event to the journal, under the node that it is about, and returns its number. The
     * node must have been looked up.
     */
    long append(SessionId node, Observation event, Instant at);

    /** Records types of events as options to filter by. */
    void addTypes(Set<String> types);

    /** Describes the edge between a session and its child. */
    void relate(SessionId parent, SessionId child, Edge edge);

    /** Returns true if the edge between a session and its child is more than a guess. */
    boolean isCertain(SessionId parent, SessionId child);

    /** Records the call of {@code caller} for another agent of the session. */
    void called(SessionId session, SessionId caller, Spawn.Called call, Instant at);

    /**
     * Returns the probable caller of this agent, that of the oldest call for its type since a time
     * that no agent took, and takes the call. Empty if there is none, or if the agent took a call
     * before.
     */
    Optional<SessionId> caller(SessionId session, SessionId agent, String agentType, Instant since);

    /**
     * Ties a call to the agent that answered it, or to none if it is null, and drops a guess that
     * disagrees.
     */
    void answered(SessionId session, String call, @Nullable SessionId agent, Instant at);

    /** The kind and the reason of an edge between two sessions, and the evidence for it. */
    record Edge(String type, String reason, Evidence evidence) {}

    /** A summary of a session. {@code isObserved} is false for one that Coppice runs itself. */
    record Seen(
            SessionId id,
            SessionId root,
            @Nullable SessionId parent,
            boolean isObserved,
            String state,
            Instant since,
            @Nullable Instant started,
            long bytes,
            @Nullable Long bytesMax) {}

    /** The evidence that a session is the child of another, the surest first. */
    enum Evidence {
        /** The answer to the call that started it. */
        TOOL_RESPONSE(100),
        /** The telemetry of its program names the agent above. */
        TELEMETRY(100),
        /** Our mod in the program named the agent above when this one began. */
        MOD(100),
        /** The sender named its parent. */
        DECLARED(100),
        /** The oldest call for an agent of its type that was not answered when it began. */
        CALLED(80),
        /** A guess from the ids, or from the session in which it was first seen. */
        INFERRED(50);

        private final int confidence;

        Evidence(int confidence) {
            this.confidence = confidence;
        }

        /** The word of the relationship schema: both guesses are inferred. */
        public String word() {
            return (this == CALLED ? INFERRED : this).name().toLowerCase(Locale.ROOT);
        }

        /** The probability in percent that the edge is right. */
        public int confidence() {
            return confidence;
        }
    }

    /** Returns the newest events by the sender's time, oldest first. */
    List<Sent> recent(@Nullable SessionId below, int max);

    Optional<Sent> find(long number);

    /** Returns the number of the newest entry of the journal. */
    long head();

    /**
     * Returns the values that the newest events can be filtered by, at most {@code max} of each
     * kind. With {@code below} only those of events of this session and all below it.
     */
    Options options(@Nullable SessionId below, int max);

    void answer(Sent event, JsonText answer);

    /** An event as it was sent, with its number and a person's answer to it. */
    record Sent(long number, SessionId node, Instant at, JsonText body, @Nullable JsonText answer) {
        /** An event that was just stored under this number. */
        public static Sent of(long number, Observation event) {
            return new Sent(number, event.session(), event.sentAt(), event.message().body(), null);
        }

        Sent with(JsonText other) {
            return new Sent(number, node, at, body, other);
        }
    }

    /** Values to filter events by. */
    record Options(List<String> apps, List<String> sessions, List<String> types) {
        public Options {
            apps = List.copyOf(apps);
            sessions = List.copyOf(sessions);
            types = List.copyOf(types);
        }
    }
}
