package dev.coppice.removal;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * The state of a removal. Until the tree is hidden, it is unchanged except for what was stopped or
 * detached.
 */
public sealed interface RemovalState {
    Instant since();

    /** The fence is up; sessions are being enlisted, and the confirmed plan is checked again. */
    record Fencing(Instant since, @Nullable String waitsFor) implements RemovalState {}

    /**
     * Live sessions are being stopped; {@code waitsFor} is set if that takes longer than it should.
     */
    record Quiescing(Instant since, @Nullable String waitsFor) implements RemovalState {}

    /** Unsaved work is being preserved and verified. */
    record Preserving(Instant since, @Nullable String waitsFor) implements RemovalState {}

    /** The tree is being written into one file. */
    record BackingUp(Instant since, @Nullable String waitsFor) implements RemovalState {}

    /** The children are becoming roots. */
    record Detaching(Instant since) implements RemovalState {}

    /** The tree is hidden, and its removal is being announced. */
    record Hiding(Instant since) implements RemovalState {}

    /** Undo is possible until {@code until}. */
    record Hidden(Instant since, Instant until) implements RemovalState {}

    /**
     * Rows are being read from a file and are not visible yet; {@code since} is when the last ones
     * came.
     */
    record Restoring(Instant since) implements RemovalState {}

    /** The tree is visible again, and its return is being announced. */
    record Undoing(Instant since) implements RemovalState {}

    /** The removal was cancelled; the fence is being taken down. */
    record TakingBack(Instant since, String reason) implements RemovalState {}

    /** The rows of the tree are being deleted. */
    record Purging(Instant since, @Nullable String waitsFor) implements RemovalState {}

    /** A final state. */
    sealed interface Over extends RemovalState {}

    record Undone(Instant since) implements Over {}

    record TakenBack(Instant since, String reason) implements Over {}

    record Purged(Instant since) implements Over {}

    default boolean isOver() {
        return this instanceof Over;
    }

    /** True if its sessions are hidden. */
    default boolean hidesSessions() {
        return switch (this) {
            case Hiding _, Hidden _, Restoring _, Purging _, Purged _ -> true;
            case Fencing _, Quiescing _, Preserving _, BackingUp _, Detaching _ -> false;
            case Undoing _, TakingBack _, Undone _, TakenBack _ -> false;
        };
    }

    /** One word per state, in every text that people and programs read. */
    default String word() {
        return switch (this) {
            case Fencing _ -> "fencing";
            case Quiescing _ -> "quiescing";
            case Preserving _ -> "preserving";
            case BackingUp _ -> "backing_up";
            case Detaching _ -> "detaching";
            case Hiding _ -> "hiding";
            case Hidden _ -> "hidden";
            case Restoring _ -> "restoring";
            case Undoing _ -> "undoing";
            case TakingBack _ -> "taking_back";
            case Purging _ -> "purging";
            case Undone _ -> "undone";
            case TakenBack _ -> "taken_back";
            case Purged _ -> "purged";
        };
    }

    /** The reason for waiting, if a step takes longer than it should. */
    default @Nullable String waitsFor() {
        return switch (this) {
            case Fencing(_, var what) -> what;
            case Quiescing(_, var what) -> what;
            case Preserving(_, var what) -> what;
            case BackingUp(_, var what) -> what;
            case Purging(_, var what) -> what;
            case Detaching _, Hiding _, Hidden _, Restoring _ -> null;
            case Undoing _, TakingBack _ -> null;
            case Over _ -> null;
        };
    }

    /** The reason why the removal was cancelled. */
    default @Nullable String cancelReason() {
        return switch (this) {
            case TakingBack(_, var why) -> why;
            case TakenBack(_, var why) -> why;
            case Fencing _, Quiescing _, Preserving _, BackingUp _, Detaching _ -> null;
            case Hiding _, Hidden _, Restoring _, Undoing _, Purging _ -> null;
            case Undone _, Purged _ -> null;
        };
    }

    /** The reason why the removal waits or was cancelled. */
    default @Nullable String why() {
        var waits = waitsFor();
        return waits == null ? cancelReason() : waits;
    }
}
