package dev.coppice.removal;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** Where a removal stands. Until it is hidden all is as it was, but for what was stopped. */
public sealed interface RemovalState {
    Instant since();

    /**
     * The fence is up; who belongs to it is written down, and what was confirmed looked at again.
     */
    record Fencing(Instant since, @Nullable String waitsFor) implements RemovalState {}

    /** What runs is being stopped; there is a reason when that takes longer than it should. */
    record Quiescing(Instant since, @Nullable String waitsFor) implements RemovalState {}

    /** What is unsaved is being kept, and proved to be. */
    record Preserving(Instant since, @Nullable String waitsFor) implements RemovalState {}

    /** All of it is being written into one file. */
    record BackingUp(Instant since, @Nullable String waitsFor) implements RemovalState {}

    /** Those below become roots of their own. */
    record Detaching(Instant since) implements RemovalState {}

    /** Nobody sees it any more, and everyone is being told. */
    record Hiding(Instant since) implements RemovalState {}

    /** It can be undone until then. */
    record Hidden(Instant since, Instant until) implements RemovalState {}

    /**
     * Read from a file, row by row, and seen by nobody yet; the last of it came at that instant.
     */
    record Restoring(Instant since) implements RemovalState {}

    /** It is seen again, and everyone is being told. */
    record Undoing(Instant since) implements RemovalState {}

    /** It did not come to be: the fence is being taken down. */
    record TakingBack(Instant since, String reason) implements RemovalState {}

    /** Its rows are going, for good. */
    record Purging(Instant since, @Nullable String waitsFor) implements RemovalState {}

    /** Nothing more will happen. */
    sealed interface Over extends RemovalState {}

    record Undone(Instant since) implements Over {}

    record TakenBack(Instant since, String reason) implements Over {}

    record Purged(Instant since) implements Over {}

    default boolean isOver() {
        return this instanceof Over;
    }

    /** Whether its sessions are out of everyone's sight. */
    default boolean isOutOfSight() {
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

    /** What it waits for, when something takes longer than it should. */
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

    /** Why it did not come to be. */
    default @Nullable String calledOff() {
        return switch (this) {
            case TakingBack(_, var why) -> why;
            case TakenBack(_, var why) -> why;
            case Fencing _, Quiescing _, Preserving _, BackingUp _, Detaching _ -> null;
            case Hiding _, Hidden _, Restoring _, Undoing _, Purging _ -> null;
            case Undone _, Purged _ -> null;
        };
    }

    /** Why it waits, or why it did not come to be. */
    default @Nullable String why() {
        var waits = waitsFor();
        return waits == null ? calledOff() : waits;
    }
}
