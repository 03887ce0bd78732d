package dev.coppice.web;

import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.request.Inputs;
import dev.coppice.request.Operation;
import dev.coppice.request.Operation.Action;
import dev.coppice.request.Operation.Change;
import dev.coppice.request.Reply;
import dev.coppice.request.Wording;
import dev.coppice.wire.Call;
import dev.coppice.wire.Call.Trait;
import dev.coppice.wire.Field;
import dev.coppice.wire.Json;
import dev.coppice.wire.Method;
import dev.coppice.wire.Shape;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.function.Predicate;

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
        var context = x.context(Wording.REST);
        if (WholeList.isWanted(call, x)) {
            return new WholeList<>(operation, context, new Fields(call, operation.need(), x))
                    .reply(x);
        }
        var fields = new Fields(call, operation.need(), x);
        var done = operation.perform(context, fields, keyed(operation, x));
        return switch (done.outcome()) {
            case Outcome.Refused<O>(var refusal) -> Problems.reply(refusal, x.manner(call), call);
            case Outcome.Done<O>(var first) ->
                    operation
                            .waiting()
                            .after(context, done.input(), first)
                            .<Reply>map(wait -> new Reply.Patient(200, wait))
                            .orElseGet(() -> now(call, first));
        };
    }

    private <I extends Record, O> Action<I, O> keyed(Operation<I, O> operation, Exchange x) {
        var call = operation.call();
        return call.is(Trait.REPEATABLE) && operation.action() instanceof Change<I, O> change
                ? (context, in) ->
                        idempotentRequests.perform(
                                x, call, () -> change.preparation().on(context, in))
                : operation.action();
    }

    /** The fields of a request, from its path, query and body. */
    private record Fields(Call<?, ?> call, Need need, Exchange x) implements Inputs.Source {
        @Override
        public @Nullable JsonNode value(Shape.Part part) {
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

        /**
         * Refuses unknown fields of a change: a misspelt one would silently mean its default.
         * Runners of other versions, and GET requests, may send unknown fields.
         */
        @Override
        public void check() {
            if (need == Need.RUN || call.method() == Method.GET) return;
            var queries =
                    named(part ->
                            call.where(part) == Call.Where.QUERY
                                    || part.field().in() == Field.In.EITHER);
            for (var query : x.request().queries().keySet()) {
                if (!query.equals(Exchange.TOKEN_QUERY)) refuseUnless(queries, query);
            }
            if (!named(part -> call.where(part) == Call.Where.WHOLE_BODY).isEmpty()) return;
            var fields = named(part -> call.where(part) == Call.Where.BODY);
            for (var sent : x.json().properties()) {
                var name = sent.getKey();
                boolean repeatsPath = sent.getValue().asString("").equals(x.paths().get(name));
                if (!repeatsPath) refuseUnless(fields, name);
            }
            var unknown = Shape.of(call.input()).unknownIn(x.json());
            if (unknown != null) refuseUnless(unknown.known(), unknown.field());
        }

        private List<String> named(Predicate<Shape.Part> where) {
            return Shape.of(call.input()).flat().stream()
                    .filter(where)
                    .map(Shape.Part::name)
                    .toList();
        }

        private static void refuseUnless(List<String> known, String field) {
            if (known.contains(field)) return;
            throw new Rejected(new RequestRefusal.FieldUnknown(field, known));
        }
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
