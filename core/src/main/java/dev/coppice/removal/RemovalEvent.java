package dev.coppice.removal;

import java.time.Instant;

/** Something that happened to a removal. */
public sealed interface RemovalEvent {
    Instant at();

    /** All that belongs to it is written down. */
    record Fenced(Instant at) implements RemovalEvent {}

    /** Something takes longer than it should. */
    record WaitsFor(Instant at, String what) implements RemovalEvent {}

    /** Nothing of it runs any more. */
    record FellSilent(Instant at) implements RemovalEvent {}

    /** What was unsaved is kept, or need not be. */
    record WorkPreserved(Instant at) implements RemovalEvent {}

    /** Those below are to become roots. */
    record DetachBegan(Instant at) implements RemovalEvent {}

    /** From this instant on nobody sees it. */
    record WentOutOfSight(Instant at) implements RemovalEvent {}

    /** Everyone was told, and it stays until then. */
    record AllTold(Instant at, Instant until) implements RemovalEvent {}

    /** The time for an undo is over, or was not wanted. */
    record PurgeBegan(Instant at) implements RemovalEvent {}

    /** No row of it is left. */
    record AllGone(Instant at) implements RemovalEvent {}

    record UndoAsked(Instant at) implements RemovalEvent {}

    /** All of it was read from the file. */
    record AllCame(Instant at) implements RemovalEvent {}

    /** It cannot be restored after all; what was read goes again. */
    record RestoreBroke(Instant at) implements RemovalEvent {}

    /** It will not come to be: someone has changed their mind, or it is no longer what it was. */
    record CalledOff(Instant at, String reason) implements RemovalEvent {}

    /** It is as it was before. */
    record AllBack(Instant at) implements RemovalEvent {}
}
