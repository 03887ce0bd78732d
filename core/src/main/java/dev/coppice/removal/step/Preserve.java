package dev.coppice.removal.step;

import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalEvent;

import java.time.InstantSource;

/** Has runners preserve the unsaved work of the tree. */
record Preserve(WorkTasks work, InstantSource clock) implements Step {
    @Override
    public Piece advance(Removal removal) {
        var piece = work.preserve(removal);
        return piece instanceof Piece.Done
                ? new Piece.Ends(removal, new RemovalEvent.WorkPreserved(clock.instant()))
                : piece;
    }

    @Override
    public Piece undo(Removal removal) {
        return work.releaseRefs(removal) ? new Piece.More() : new Piece.Done();
    }
}
