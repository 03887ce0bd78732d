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

    /** Remembers the hooks that told of a session first. */
    void toldFirst(SessionId session, String source);

    /**
     * Returns true if these hooks told of a session first, or a person has taken its program in
     * before any hooks told of it.
     */
    boolean isToldFirst(SessionId session, String source);

    /**
     * Returns the session for which Coppice runs the program that calls its own session so. A
     * session that hooks told of is no such program, whatever an agent claims.
     */
    Optional<SessionId> runOf(SessionId program);

    /**
     * Appends an event to the journal, under the node that it is about, and returns its number.
     * Events of sessions that were not looked up are an error.
     */
    long append(SessionId node, Observation event, Instant at);

    /** Remembers the types of events, for the options to filter by. */
    void addTypes(Set<String> types);

    /** Describes the edge between a session and its child. */
    void relate(SessionId parent, SessionId child, Edge edge);

    /** Returns true if the edge between a session and its child is more than a guess. */
    boolean isCertain(SessionId parent, SessionId child);

    /** Remembers the call of {@code caller} for another agent of the session. */
    void called(SessionId session, SessionId caller, Spawn.Called call, Instant at);

    /**
     * Returns who called for this agent of a session: the caller of the oldest call for its type
     * since a time that no other agent has answered. Empty if there is none, or if the agent
     * answered one before.
     */
    Optional<SessionId> caller(SessionId session, SessionId agent, String agentType, Instant since);

    /**
     * Ties a call to the agent that answered it; to none if it is null. A guess that said otherwise
     * is undone.
     */
    void answered(SessionId session, String call, @Nullable SessionId agent, Instant at);

    /** How a session became the child of another, and how that is known. */
    record Edge(String type, String reason, Evidence evidence) {}

    /** A session at a glance. {@code isObserved} is false for one that Coppice runs itself. */
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

    /** Why a session counts as the child of another, from the surest on. */
    enum Evidence {
        /** The answer to the call that started it. */
        TOOL_RESPONSE(100),
        /** The telemetry of its program names the agent above. */
        TELEMETRY(100),
        /** Our mod was asked before it was born. */
        MOD(100),
        /** The sender named its parent. */
        DECLARED(100),
        /** The oldest call for an agent of its type that was not answered when it began. */
        CALLED(80),
        /** The ids, or the session in which it was first seen. */
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
