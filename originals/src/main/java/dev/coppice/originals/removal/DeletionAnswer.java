package dev.coppice.originals.removal;

import com.fasterxml.jackson.annotation.JsonValue;

import dev.coppice.wire.removal.PlanView;

/** The plan of a dry run, or the result of a deletion. */
sealed interface DeletionAnswer permits DeletionAnswer.Planned, DeletionView {
    /** The plan of a dry run. */
    record Planned(@JsonValue PlanView plan) implements DeletionAnswer {}
}
