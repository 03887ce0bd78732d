package dev.coppice.observe;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/** Sessions and how they are related, in the words of the relationship schema. */
public interface Families {
    /** Returns a session and those below it, depth first, at most {@code levels} below it. */
    List<Member> family(SessionId top, int levels, int max);

    /**
     * Returns the siblings and continuations of a session besides the children of its parent: those
     * that were declared or derived, and those that were detached from the same session.
     */
    List<Member> related(SessionId session, int max);

    /** Counts the pairs that were created in a period, by kind. */
    List<Count> count(Instant from, Instant until);

    /** Adds a pair that is not parent and child, or describes it anew. */
    void declare(SessionId parent, SessionId child, Pair pair, Instant at);

    /** Describes the pair of a session and its parent; false if there is none. */
    boolean describe(SessionId parent, SessionId child, Pair pair);

    /** Says why a child was started; what is known of the pair of it and its parent stays. */
    void explain(SessionId child, Spawn spawn);

    /**
     * Agents, which are sessions with a parent, that started in a period, newest first. With {@code
     * within} only those below this session.
     */
    List<Agent> agents(@Nullable SessionId within, Instant from, Instant until, int max);

    /** A session with a parent. Its type is its blueprint, or what its program calls it. */
    record Agent(
            SessionId id,
            @Nullable SessionId parent,
            String name,
            String type,
            String app,
            String status,
            Instant started,
            @Nullable Instant ended,
            long tokens,
            long costMicros) {}

    /** The kind of a pair. */
    record Pair(
            String type,
            @Nullable String reason,
            @Nullable String delegation,
            @Nullable String metadata) {}

    /** Why a child was started, whether its parent waits for it, and as JSON how it was started. */
    record Spawn(String reason, String delegation, String metadata) {}

    /** A session and the pair with its parent. */
    record Member(
            SessionId id,
            @Nullable SessionId parent,
            String name,
            String type,
            String status,
            Instant started,
            @Nullable Instant ended,
            long children,
            long tokens,
            int depth,
            String path,
            @Nullable Pair pair) {}

    /** The number of pairs of one kind, the sum and maximum of their depths, and how many ended. */
    record Count(Pair pair, long pairs, long depths, int deepest, long ended) {}
}
