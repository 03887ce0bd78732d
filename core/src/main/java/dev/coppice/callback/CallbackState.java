package dev.coppice.callback;

import dev.coppice.kernel.RunId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** The state of a callback. */
public sealed interface CallbackState {
    Instant since();

    /** To be delivered, not before {@code due}. */
    record Owed(Instant since, Instant due) implements CallbackState {}

    /**
     * Its session failed, was stopped or has no run to resume: held until the session is resumed.
     */
    record Held(Instant since, String reason) implements CallbackState {}

    /** A live run carries it. */
    record Carried(Instant since, RunId by) implements CallbackState {}

    /** The run that carried it has finished. */
    record Delivered(Instant since, RunId by) implements CallbackState {}

    /** A join reports the same end, so this callback is not delivered by itself. */
    record Joined(Instant since, JoinId by) implements CallbackState {}

    /**
     * Given up, by a removal or otherwise. An undo of that removal or a retry delivers it again.
     */
    record Dead(Instant since, String reason, @Nullable String removedBy)
            implements CallbackState {}

    default String word() {
        return switch (this) {
            case Owed _ -> "owed";
            case Held _ -> "held";
            case Carried _ -> "carried";
            case Delivered _ -> "delivered";
            case Joined _ -> "joined";
            case Dead _ -> "dead";
        };
    }

    /** The run or the join that carries it, or has delivered it. */
    default @Nullable String carrier() {
        return switch (this) {
            case Carried(_, var by) -> by.value();
            case Delivered(_, var by) -> by.value();
            case Joined(_, var by) -> by.value();
            case Owed _, Held _, Dead _ -> null;
        };
    }

    /** The reason why it is held or dead. */
    default @Nullable String why() {
        return switch (this) {
            case Held(_, var reason) -> reason;
            case Dead(_, var reason, _) -> reason;
            case Owed _, Carried _, Delivered _, Joined _ -> null;
        };
    }
}
