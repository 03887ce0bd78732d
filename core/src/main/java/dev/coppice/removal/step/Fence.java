package dev.coppice.removal.step;

import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalEvent;
import dev.coppice.removal.Removals;
import dev.coppice.run.Ports;

/** Enlists the sessions of the tree, and compares the tree with what was confirmed. */
record Fence(Ports ports, Removals removals, WorkTasks work, Surveys surveys) implements Step {
    private static final int ENLISTED_AT_ONCE = 100;

    @Override
    public Piece advance(Removal removal) {
        if (!removal.detaches() && removals.enlist(removal, ENLISTED_AT_ONCE) > 0) {
            return new Piece.More();
        }
        var inspected = work.inspectAgain(removal);
        return inspected instanceof Piece.Done ? compared(removal) : inspected;
    }

    private Piece compared(Removal removal) {
        var survey = surveys.takeOrRequest(removal);
        if (survey == null) return new Piece.More();
        var now = ports.clock().instant();
        var counted = removal.with(survey.taken());
        var change = work.finishInspections(removal);
        return new Piece.Ends(
                counted,
                change == null
                        ? new RemovalEvent.Fenced(now)
                        : new RemovalEvent.CancelBegan(now, change));
    }

    /** Releases the top last, so that the fence is up until the removal is over. */
    @Override
    public Piece undo(Removal removal) {
        int released = removals.release(removal.id(), ENLISTED_AT_ONCE);
        return released == ENLISTED_AT_ONCE ? new Piece.More() : new Piece.Done();
    }
}
