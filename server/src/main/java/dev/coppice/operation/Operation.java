package dev.coppice.operation;

import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.wire.Call;
import dev.coppice.wire.Shape;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * An operation that callers can request: its call, the permission it needs, and its action. A slow
 * operation may wait after its action, and answer with a later value instead of the first.
 */
public record Operation<I extends Record, O>(
        Call<I, ?> call, Need need, Action<I, O> action, Waiting<I, O> waiting, Notes notes) {

    /** Performs an operation. */
    public interface Action<I, O> {
        Outcome<O> on(Context context, I input);
    }

    /** The later answer, if the caller wants to wait for it. */
    public interface Waiting<I, O> {
        Optional<Wait> after(Context context, I input, O first);
    }

    /** Records requests that could not be read. */
    public interface Notes {
        void unreadable(Context context, Named in, Refusal refusal);
    }

    /** The fields of a request by their names, as they were sent. */
    public interface Named {
        @Nullable String value(String field);
    }

    public static <I extends Record, O> Operation<I, O> of(
            Call<I, O> call, Need need, Action<I, O> action) {
        return sending(call, need, action);
    }

    /** An operation whose answer is a file or a stream. */
    public static <I extends Record, O> Operation<I, O> sending(
            Call<I, ?> call, Need need, Action<I, O> action) {
        return new Operation<>(call, need, action, (_, _, _) -> Optional.empty(), (_, _, _) -> {});
    }

    public Operation<I, O> doing(Action<I, O> other) {
        return new Operation<>(call, need, other, waiting, notes);
    }

    public Operation<I, O> then(Waiting<I, O> wait) {
        return new Operation<>(call, need, action, wait, notes);
    }

    public Operation<I, O> noting(Notes unreadable) {
        return new Operation<>(call, need, action, waiting, unreadable);
    }

    /** Reads the input from {@code source} and performs the action. */
    public Performed<I, O> perform(Context context, Inputs.Source source) {
        try {
            source.check();
            var input = Inputs.read(call.input(), source);
            return new Performed<>(input, action.on(context, input));
        } catch (Rejected e) {
            notes.unreadable(context, field -> named(source, field), e.refusal());
            throw e;
        }
    }

    private @Nullable String named(Inputs.Source source, String field) {
        return Shape.of(call.input()).flat().stream()
                .filter(part -> part.name().equals(field))
                .map(source::value)
                .filter(value -> value != null && value.isString())
                .map(value -> value.asString())
                .findFirst()
                .orElse(null);
    }

    /** The input, and the outcome of the action. */
    public record Performed<I, O>(I input, Outcome<O> outcome) {}
}
