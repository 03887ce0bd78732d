package dev.coppice.removal.step;

import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalEvent;

import org.jspecify.annotations.Nullable;

/** The outcome of a piece of a step. */
sealed interface Piece {
    /** Something was done, and more is left to do. */
    record More() implements Piece {}

    /** Nothing is left to do. */
    record Done() implements Piece {}

    /** The step waits; the reason is null until it waits for too long. */
    record Waits(@Nullable String what) implements Piece {}

    /** The step cannot be done: the removal is cancelled. */
    record Broken(String why) implements Piece {}

    /** The step ends with this event; {@code removal} includes what the step recorded. */
    record Ends(Removal removal, RemovalEvent event) implements Piece {}
}
