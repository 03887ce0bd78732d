package dev.coppice.session;

import dev.coppice.kernel.SessionId;
import dev.coppice.word.OnParentEnd;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * Decisions about a session that hold in every state. {@code removal} is the removal that removes
 * or restores the session at present, {@code detachedFrom} the parent that a root has lost to a
 * removal.
 */
public record Standing(
        OnParentEnd onParentEnd,
        @Nullable Instant quiet,
        @Nullable Instant fenced,
        @Nullable Instant frozen,
        @Nullable Instant abandoned,
        @Nullable String removal,
        @Nullable SessionId detachedFrom) {
    public static final Standing NEW =
            new Standing(OnParentEnd.KEEP, null, null, null, null, null, null);

    /** The standing of a new session, which is frozen if its parent is. */
    static Standing of(@Nullable Instant frozen, OnParentEnd onParentEnd) {
        return new Standing(onParentEnd, null, null, frozen, null, null, null);
    }

    /** Quiet: no callback wakes the session until a caller resumes it. */
    Standing quietSince(@Nullable Instant at) {
        return new Standing(onParentEnd, at, fenced, frozen, abandoned, removal, detachedFrom);
    }

    /** Fenced: nothing may start at or below the session. */
    Standing fencedSince(@Nullable Instant at) {
        return new Standing(onParentEnd, quiet, at, frozen, abandoned, removal, detachedFrom);
    }

    /** Frozen: its processes are suspended, and its queued runs are not claimed. */
    Standing frozenSince(@Nullable Instant at) {
        return new Standing(onParentEnd, quiet, fenced, at, abandoned, removal, detachedFrom);
    }

    /** Part of this removal. */
    Standing removedBy(@Nullable String other) {
        return new Standing(onParentEnd, quiet, fenced, frozen, abandoned, other, detachedFrom);
    }

    Standing abandonedSince(Instant at) {
        return new Standing(onParentEnd, quiet, fenced, frozen, at, removal, detachedFrom);
    }

    Standing detachedFrom(@Nullable SessionId parent) {
        return new Standing(onParentEnd, quiet, fenced, frozen, abandoned, removal, parent);
    }
}
