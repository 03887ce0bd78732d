package dev.coppice.request;

import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.Transactions;
import dev.coppice.wire.Call;
import dev.coppice.wire.Call.Trait;
import dev.coppice.wire.Shape;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * An operation that callers can request: its call, the permission it needs, and its action. A slow
 * operation may wait after its action, and answer with a later value instead of the first.
 *
 * <p>An action whose answer is stored under a key, or which the audit records, is a {@link Change}:
 * its receipt and its record are written in the transaction of its commit, and nothing else may be
 * written there.
 */
public record Operation<I extends Record, O>(
        Call<I, ?> call, Need need, Action<I, O> action, Waiting<I, O> waiting, Notes notes) {

    public Operation {
        boolean isSplit = action instanceof Change<I, O>;
        if (!isSplit && (call.is(Trait.REPEATABLE) || call.is(Trait.AUDITED))) {
            throw new IllegalStateException(
                    call.name() + " is repeatable or audited, so its action must be a Change");
        }
    }

    /** Performs an operation. */
    public interface Action<I, O> {
        Outcome<O> on(Context context, I input);
    }

    /**
     * The first half of a change, outside of every write: it reads, checks, resolves and writes
     * files, and returns the rest.
     */
    public interface Preparation<I, O> {
        Outcome<Commit<O>> on(Context context, I input);
    }

    /** The second half of a change, inside one write: statements only. */
    public interface Commit<O> {
        Outcome<O> now();
    }

    /** An action in two halves. */
    public record Change<I, O>(Transactions transactions, Preparation<I, O> preparation)
            implements Action<I, O> {
        @Override
        public Outcome<O> on(Context context, I input) {
            return preparation.on(context, input).then(commit -> transactions.write(commit::now));
        }
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

    /** An operation that changes what is stored. */
    public static <I extends Record, O> Operation<I, O> changing(
            Call<I, O> call, Need need, Transactions transactions, Preparation<I, O> preparation) {
        return of(call, need, new Change<>(transactions, preparation));
    }

    /** An operation that changes files, or something else outside the database. */
    public static <I extends Record, O> Operation<I, O> changingOutside(
            Call<I, O> call, Need need, Transactions transactions, Action<I, O> action) {
        return changing(
                call,
                need,
                transactions,
                (x, in) -> action.on(x, in).map(answer -> () -> Outcome.done(answer)));
    }

    /** An operation whose answer is a file or a stream. */
    public static <I extends Record, O> Operation<I, O> sending(
            Call<I, ?> call, Need need, Action<I, O> action) {
        return new Operation<>(call, need, action, (_, _, _) -> Optional.empty(), (_, _, _) -> {});
    }

    public Operation<I, O> doing(Action<I, O> other) {
        return new Operation<>(call, need, other, waiting, notes);
    }

    /** The operation with another preparation, which may wrap its commit. */
    public Operation<I, O> preparing(UnaryOperator<Preparation<I, O>> wrapped) {
        if (!(action instanceof Change<I, O>(var transactions, var preparation))) {
            throw new IllegalStateException(call.name() + " has no preparation");
        }
        return doing(new Change<>(transactions, wrapped.apply(preparation)));
    }

    public Operation<I, O> then(Waiting<I, O> wait) {
        return new Operation<>(call, need, action, wait, notes);
    }

    public Operation<I, O> noting(Notes unreadable) {
        return new Operation<>(call, need, action, waiting, unreadable);
    }

    /** Reads the input from {@code source} and performs the action. */
    public Performed<I, O> perform(Context context, Inputs.Source source) {
        return perform(context, source, action);
    }

    /** Performs another action in place of its own, such as one that may answer from a receipt. */
    public Performed<I, O> perform(Context context, Inputs.Source source, Action<I, O> inPlace) {
        try {
            source.check();
            refuseOtherRunners(context, source);
            var input = Inputs.read(call.input(), source);
            return new Performed<>(input, inPlace.on(context, input));
        } catch (Rejected e) {
            notes.unreadable(context, field -> named(source, field), e.refusal());
            throw e;
        }
    }

    /** A runner that joined acts as itself only. */
    private void refuseOtherRunners(Context context, Inputs.Source source) {
        if (context.caller().joined() == null) return;
        for (var part : Shape.of(call.input()).flat()) {
            if (!part.name().equals("runner_id")) continue;
            var sent = source.value(part);
            if (sent == null ? need != Need.RUN : mayActAs(context, sent)) continue;
            throw new Rejected(new RequestRefusal.NotAllowed("act as another runner"));
        }
    }

    private boolean mayActAs(Context context, JsonNode sent) {
        if (sent.isNull()) return need != Need.RUN;
        return context.caller().mayActAs(new RunnerId(sent.asString("")));
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
