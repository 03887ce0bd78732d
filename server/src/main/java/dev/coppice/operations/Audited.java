package dev.coppice.operations;

import dev.coppice.audit.Act;
import dev.coppice.audit.Audit;
import dev.coppice.audit.HourlyLimit;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.Operation.Commit;
import dev.coppice.request.Operation.Preparation;
import dev.coppice.session.Session;
import dev.coppice.wire.Call;
import dev.coppice.wire.Json;
import dev.coppice.wire.Shape;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Records the requests whose calls are audited: stops, budgets, blueprints, tokens. A record is
 * derived from the call and its input. Removals have an audit of their own.
 */
public final class Audited {
    /** Fields that have columns of their own, are files, or say how long the caller waits. */
    private static final Set<String> BESIDE = Set.of("session_id", "reason", "wait", "file");

    private final Scope scope;
    private final Audit audit;
    private final InstantSource clock;
    private final HourlyLimit acts = HourlyLimit.ofAgents(Bounds.AUDITED_ACTS_MAX);
    private final HourlyLimit refusals = HourlyLimit.ofAllButAdmin(Bounds.AUDITED_REFUSALS_MAX);

    public Audited(Scope scope, Audit audit, InstantSource clock) {
        this.scope = scope;
        this.audit = audit;
        this.clock = clock;
    }

    /** The operations, with those recorded that are audited. */
    public List<Operation<?, ?>> in(List<Operation<?, ?>> operations) {
        return operations.stream().<Operation<?, ?>>map(this::recorded).toList();
    }

    private <I extends Record, O> Operation<I, O> recorded(Operation<I, O> operation) {
        var call = operation.call();
        if (!call.is(Call.Trait.AUDITED)) return operation;
        return operation.preparing(change -> (x, in) -> recorded(call, change, x, in));
    }

    /** The record joins the transaction of the act; an earlier refusal has one of its own. */
    private <I extends Record, O> Outcome<Commit<O>> recorded(
            Call<I, ?> call, Preparation<I, O> change, Context x, I input) {
        if (!acts.tryCount(x.who(), clock.instant())) {
            return Outcome.refused(
                    new RequestRefusal.TooOften(call.name(), Bounds.AUDITED_ACTS_MAX));
        }
        return switch (change.on(x, input)) {
            case Outcome.Done<Commit<O>>(var commit) ->
                    Outcome.done(() -> record(call, x, input, commit.now()));
            case Outcome.Refused<Commit<O>>(var refusal) ->
                    scope.transactions()
                            .write(() -> record(call, x, input, Outcome.refused(refusal)));
        };
    }

    private <I extends Record, O> Outcome<O> record(
            Call<?, ?> call, Context x, I input, Outcome<O> outcome) {
        var given = fields(input);
        var decision =
                switch (outcome) {
                    case Outcome.Done<O> _ -> Act.Decision.allowed(text(given, "reason"));
                    case Outcome.Refused<O>(var refusal) -> Act.Decision.refused(refusal.said());
                };
        if (!decision.allowed() && !refusals.tryCount(x.who(), clock.instant())) return outcome;
        var session = text(given, "session_id");
        if (session == null && outcome instanceof Outcome.Done<O>(Record answer)) {
            session = text(fields(answer), "session_id");
        }
        var what = new Act.What(call.name(), session, name(session), null, detail(given));
        audit.append(new Act(clock.instant(), x.who(), what, decision, null, null));
        return outcome;
    }

    private @Nullable String name(@Nullable String session) {
        if (session == null || !SessionId.isValid(session)) return null;
        return scope.sessions().find(new SessionId(session)).map(Session::name).orElse(null);
    }

    /** The fields of the record that have a value. */
    private static Map<String, JsonNode> fields(Record input) {
        var shape = Shape.of(input.getClass());
        var fields = new LinkedHashMap<String, JsonNode>();
        var values = shape.values(input).iterator();
        for (var part : shape.flat()) {
            var value = values.next();
            if (value != null) fields.put(part.name(), Json.tree(value));
        }
        return fields;
    }

    private static @Nullable String text(Map<String, JsonNode> given, String field) {
        var value = given.get(field);
        return value != null && value.isString() ? value.asString() : null;
    }

    /** The input on one line. A document is named with its fields only: values may be secret. */
    private static @Nullable String detail(Map<String, JsonNode> given) {
        var said =
                given.entrySet().stream()
                        .filter(field -> !BESIDE.contains(field.getKey()))
                        .map(field -> detail(field.getKey(), field.getValue()))
                        .collect(Collectors.joining(", "));
        return said.isEmpty() ? null : Bounds.firstOf(said, Bounds.REASON_CHARS_MAX);
    }

    private static String detail(String name, JsonNode value) {
        if (value.isArray()) return name + "=" + value;
        if (!value.isObject()) return name + "=" + value.asString();
        var fields = String.join(" ", value.propertyNames());
        var own = value.path("name").asString(null);
        return (own == null ? "" : "name=" + own + ", ") + name + " with " + fields;
    }
}
