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
    record Quiesced(Instant at) implements RemovalEvent {}

    /** Unsaved work is preserved, or need not be. */
    record WorkPreserved(Instant at) implements RemovalEvent {}

    /** The children are to become roots. */
    record DetachBegan(Instant at) implements RemovalEvent {}

    /** The tree is hidden from this instant on. */
    record HidingBegan(Instant at) implements RemovalEvent {}

    /** All sessions are announced as removed; undo is possible until {@code until}. */
    record Announced(Instant at, Instant until) implements RemovalEvent {}

    /** The undo window is over, or was not wanted. */
    record PurgeBegan(Instant at) implements RemovalEvent {}

    /** The last row of the tree is deleted. */
    record RowsDeleted(Instant at) implements RemovalEvent {}

    record UndoAsked(Instant at) implements RemovalEvent {}

    /** All rows were read from the backup file. */
    record RowsRestored(Instant at) implements RemovalEvent {}

    /** The restore failed; the rows that were read are purged. */
    record RestoreFailed(Instant at) implements RemovalEvent {}

    /**
     * A caller cancelled it, the tree changed after it was confirmed, or its work could not be
     * preserved.
     */
    record CancelBegan(Instant at, String reason) implements RemovalEvent {}

    /** The tree is as it was before the removal. */
    record Reverted(Instant at) implements RemovalEvent {}
}
