package dev.coppice.callback;

import dev.coppice.kernel.RunId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** Where one callback stands. */
public sealed interface CallbackState {
    Instant since();

    /** To be delivered, not before it is due. */
    record Owed(Instant since, Instant due) implements CallbackState {}

    /** Its session was stopped or cannot go on: it waits until someone resumes the session. */
    record Held(Instant since, String reason) implements CallbackState {}

    /** A run is under way that was told of it. */
    record Carried(Instant since, RunId by) implements CallbackState {}

    /** The run that was told of it has finished. */
    record Delivered(Instant since, RunId by) implements CallbackState {}

    /** A join tells of the same end, so this one is not told by itself. */
    record Joined(Instant since, JoinId by) implements CallbackState {}

    /**
     * Given up, by a removal or otherwise. An undo of that removal or a person can have it
     * delivered again.
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

    /** The run or the join that tells of it, or has told. */
    default @Nullable String carrier() {
        return switch (this) {
            case Carried(_, var by) -> by.value();
            case Delivered(_, var by) -> by.value();
            case Joined(_, var by) -> by.value();
            case Owed _, Held _, Dead _ -> null;
        };
    }

    /** Why nobody is told now. */
    default @Nullable String why() {
        return switch (this) {
            case Held(_, var reason) -> reason;
            case Dead(_, var reason, _) -> reason;
            case Owed _, Carried _, Delivered _, Joined _ -> null;
        };
    }
}
