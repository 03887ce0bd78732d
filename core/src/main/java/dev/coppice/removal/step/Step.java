package dev.coppice.removal.step;

import dev.coppice.removal.Removal;

/** A step of a removal. It works piece by piece, each in the current transaction. */
interface Step {
    /** Does a piece of the step, ends it, or says what it waits for. */
    Piece advance(Removal removal);

    /** Reverses a piece of the step; done if nothing is left to reverse. */
    default Piece undo(Removal removal) {
        return new Piece.Done();
    }
}
