package dev.coppice.operation;

import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.wire.Call;
import dev.coppice.wire.Shape;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * One thing that callers can ask for: its call, what the call needs, and what it does. An operation
 * whose call takes long may then wait: its first answer is given up for a later one.
 */
public record Operation<I extends Record, O>(
        Call<I, ?> call, Need need, Action<I, O> action, Waiting<I, O> waiting, Notes notes) {

    /** What an operation does. */
    public interface Action<I, O> {
        Outcome<O> on(Context context, I input);
    }

    /** The later answer, if the caller wants to wait for it. */
    public interface Waiting<I, O> {
        Optional<Wait> after(Context context, I input, O first);
    }

    /** Hears of requests that could not even be read. */
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

    /** One whose answer is a file or a stream. */
    public static <I extends Record, O> Operation<I, O> sending(
            Call<I, ?> call, Need need, Action<I, O> action) {
        return new Operation<>(call, need, action, (_, _, _) -> Optional.empty(), (_, _, _) -> {});
    }

    public Operation<I, O> then(Waiting<I, O> wait) {
        return new Operation<>(call, need, action, wait, notes);
    }

    public Operation<I, O> noting(Notes unreadable) {
        return new Operation<>(call, need, action, waiting, unreadable);
    }

    /** Reads the input and performs the action. {@code source} knows where fields come from. */
    public Performed<I, O> perform(Context context, Inputs.Source source) {
        try {
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

    /** What was read, and what came of it. */
    public record Performed<I, O>(I input, Outcome<O> outcome) {}
}
