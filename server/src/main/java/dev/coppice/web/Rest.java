package dev.coppice.web;

import dev.coppice.kernel.Outcome;
import dev.coppice.operation.Operation;
import dev.coppice.operation.Reply;
import dev.coppice.wire.Call;
import dev.coppice.wire.Call.Trait;
import dev.coppice.wire.Field;
import dev.coppice.wire.Json;
import dev.coppice.wire.Shape;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Maps operations to HTTP: requests to inputs, and outcomes to replies. */
public final class Rest {
    private final IdempotentRequests idempotentRequests;

    public Rest(IdempotentRequests idempotentRequests) {
        this.idempotentRequests = idempotentRequests;
    }

    public List<Route> routes(List<Operation<?, ?>> operations) {
        return operations.stream().<Route>map(this::route).toList();
    }

    private <I extends Record, O> Route route(Operation<I, O> operation) {
        return new Route(operation.call(), operation.need(), x -> reply(operation, x));
    }

    private <I extends Record, O> Reply reply(Operation<I, O> operation, Exchange x) {
        var call = operation.call();
        var context = x.context(Problems.ADVICE);
        var action = operation.action();
        if (call.is(Trait.REPEATABLE)) {
            action =
                    (c, in) ->
                            idempotentRequests.perform(x, call, () -> operation.action().on(c, in));
        }
        var done =
                new Operation<>(
                                call,
                                operation.need(),
                                action,
                                operation.waiting(),
                                operation.notes())
                        .perform(context, part -> value(call, x, part));
        return switch (done.outcome()) {
            case Outcome.Refused<O>(var refusal) -> Problems.reply(refusal);
            case Outcome.Done<O>(var first) ->
                    operation
                            .waiting()
                            .after(context, done.input(), first)
                            .<Reply>map(wait -> new Reply.Patient(200, wait))
                            .orElseGet(() -> now(call, first));
        };
    }

    private static @Nullable JsonNode value(Call<?, ?> call, Exchange x, Shape.Part part) {
        return switch (call.where(part)) {
            case PATH -> Json.tree(x.path(part.name()));
            case QUERY -> text(x.query(part.name()));
            case BODY -> {
                var sent = x.json().get(part.name());
                boolean either = part.field().in() == Field.In.EITHER;
                yield sent == null && either ? text(x.query(part.name())) : sent;
            }
            case WHOLE_BODY -> x.json();
        };
    }

    private static @Nullable JsonNode text(@Nullable String value) {
        return value == null ? null : Json.tree(value);
    }

    private static Reply now(Call<?, ?> call, Object answer) {
        return switch (answer) {
            case Reply reply -> reply;
            case Call.Empty _ -> new Reply.Nothing(204);
            case Call.WithStatus own when own.httpStatus() == 204 -> new Reply.Nothing(204);
            case Call.WithStatus own -> new Reply.Body(own.httpStatus(), own);
            default -> new Reply.Body(call.is(Trait.CREATES) ? 201 : 200, answer);
        };
    }
}
