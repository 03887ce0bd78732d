package dev.coppice.kernel;

import java.util.function.Function;

/** The result of a command: done, or refused by the rules. */
public sealed interface Outcome<T> {
    record Done<T>(T value) implements Outcome<T> {}

    record Refused<T>(Refusal refusal) implements Outcome<T> {}

    static <T> Outcome<T> done(T value) {
        return new Done<>(value);
    }

    static <T> Outcome<T> refused(Refusal refusal) {
        return new Refused<>(refusal);
    }

    default <R> Outcome<R> then(Function<T, Outcome<R>> next) {
        return switch (this) {
            case Done<T>(var value) -> next.apply(value);
            case Refused<T>(var refusal) -> new Refused<>(refusal);
        };
    }

    default <R> Outcome<R> map(Function<T, R> change) {
        return then(value -> new Done<>(change.apply(value)));
    }
}
