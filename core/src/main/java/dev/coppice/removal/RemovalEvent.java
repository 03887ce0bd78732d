package dev.coppice.removal;

import java.time.Instant;

/** An event in the life of a removal. */
public sealed interface RemovalEvent {
    Instant at();

    /** All sessions of the tree are enlisted. */
    record Fenced(Instant at) implements RemovalEvent {}

    /** The current step takes longer than it should, or keeps failing. */
    record WaitsFor(Instant at, String what) implements RemovalEvent {}

    /** No session of the tree is live any more. */
    record FellSilent(Instant at) implements RemovalEvent {}

    /** Unsaved work is preserved, or need not be. */
    record WorkPreserved(Instant at) implements RemovalEvent {}

    /** The children are to become roots. */
    record DetachBegan(Instant at) implements RemovalEvent {}

    /** The tree is hidden from this instant on. */
    record WentOutOfSight(Instant at) implements RemovalEvent {}

    /** All sessions are announced as removed; undo is possible until {@code until}. */
    record AllTold(Instant at, Instant until) implements RemovalEvent {}

    /** The undo window is over, or was not wanted. */
    record PurgeBegan(Instant at) implements RemovalEvent {}

    /** The last row of the tree is deleted. */
    record AllGone(Instant at) implements RemovalEvent {}

    record UndoAsked(Instant at) implements RemovalEvent {}

    /** All rows were read from the backup file. */
    record AllCame(Instant at) implements RemovalEvent {}

    /** The restore failed; the rows that were read are purged. */
    record RestoreBroke(Instant at) implements RemovalEvent {}

    /**
     * Cancelled: by a caller, because the tree changed after it was confirmed, or because its work
     * could not be preserved.
     */
    record CalledOff(Instant at, String reason) implements RemovalEvent {}

    /** The tree is as it was before the removal. */
    record AllBack(Instant at) implements RemovalEvent {}
}
