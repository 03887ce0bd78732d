package dev.coppice.observe;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/** The relations of sessions, with the evidence for them. Joins the current transaction. */
public interface Relations {
    /** Returns the pairs of a session, oldest first, at most {@code max}. */
    List<Relation> of(SessionId session, int max);

    /**
     * A pair of a session and another one.
     *
     * @param evidence how the pair is known; null if Coppice itself started the child
     * @param confidence the probability in percent that it is right; null for certain
     */
    record Relation(
            SessionId other,
            String name,
            String state,
            Side side,
            String type,
            @Nullable String reason,
            @Nullable String delegation,
            @Nullable String evidence,
            @Nullable Integer confidence,
            Instant since) {}

    /** The role of the other session in the pair. */
    enum Side {
        PARENT,
        CHILD
    }
}
