package dev.coppice.session;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * What somebody has decided about a session, whatever it is doing; {@code removal} names the
 * removal that is taking it away or bringing it back just now, and {@code detachedFrom} the parent
 * that a root has lost to one.
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

    /** What becomes of a living session when its parent ends. */
    public enum OnParentEnd {
        /** It is stopped. */
        STOP,
        /** It goes on, unless its parent was stopped: then it is stopped too. */
        KEEP,
        /** It goes on whatever happens, and is listed as abandoned. */
        ABANDON,
        /** It is asked to finish. */
        ASK
    }

    /** Born in a tree that may be frozen. */
    static Standing of(@Nullable Instant frozen, OnParentEnd onParentEnd) {
        return new Standing(onParentEnd, null, null, frozen, null, null, null);
    }

    /** Nothing wakes it until someone resumes it. */
    Standing quietSince(@Nullable Instant at) {
        return new Standing(onParentEnd, at, fenced, frozen, abandoned, removal, detachedFrom);
    }

    /** Nothing may be born or begin in its tree. */
    Standing fencedSince(@Nullable Instant at) {
        return new Standing(onParentEnd, quiet, at, frozen, abandoned, removal, detachedFrom);
    }

    /** Its processes are suspended, and its work is held back. */
    Standing frozenSince(@Nullable Instant at) {
        return new Standing(onParentEnd, quiet, fenced, at, abandoned, removal, detachedFrom);
    }

    /** Enlisted by a removal. */
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
