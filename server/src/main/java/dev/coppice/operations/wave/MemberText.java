package dev.coppice.operations.wave;

import dev.coppice.blueprint.Placeholders;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.operations.Given;
import dev.coppice.request.Inputs;
import dev.coppice.session.SessionName;
import dev.coppice.wave.Planned;
import dev.coppice.wire.Field;
import dev.coppice.wire.Json;
import dev.coppice.wire.Shape;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.run.StartRunRequest;
import dev.coppice.word.ExecutionMode;
import dev.coppice.word.SessionType;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A member of a wave as it is written: the request for its run, and its prerequisites. Texts may
 * have the placeholders {@code ${params.NAME}}, {@code ${results.MEMBER}} and {@code ${member}}.
 */
final class MemberText {
    private static final String PARAMS = "params.";
    private static final String RESULTS = "results.";

    /** Fields of a run that its wave decides. */
    private static final Set<String> DECIDED =
            Set.of("type", "session_id", "parent_session_id", "parent_session_name", "wave_id");

    private MemberText() {}

    /** The fields of a member besides those of its run. */
    private record Own(
            @Field("its name in the wave") String name,
            @Field(value = "its phase", chars = Sizes.LABEL_CHARS_MAX) @Nullable String phase,
            @Field("the member under whose session it starts") @Nullable String below,
            @Field("the members that must have finished") @Nullable List<String> after) {}

    static Planned read(JsonNode text, int at, Instant now) {
        var field = "members[%d]".formatted(at);
        if (!(text instanceof ObjectNode object)) {
            throw Given.bad(field, text.toString(), "an object");
        }
        var own = Inputs.read(Own.class, part -> object.get(part.name()));
        if (!SessionName.isValid(own.name())) {
            throw Given.bad(field + ".name", own.name(), SessionName.RULE);
        }
        var run = object.deepCopy();
        Shape.of(Own.class).names().forEach(run::remove);
        for (var decided : DECIDED) {
            if (run.has(decided)) throw Given.bad(own.name() + "." + decided, "", "absent");
        }
        var unknown = Shape.of(StartRunRequest.class).unknownIn(run);
        if (unknown != null) {
            throw new Rejected(
                    new RequestRefusal.FieldUnknown(
                            own.name() + "." + unknown.field(), unknown.known()));
        }
        return new Planned(
                own.name(),
                own.phase(),
                own.below(),
                own.after() == null ? List.of() : own.after(),
                new JsonText(run.toString()),
                Planned.Fate.waiting(now));
    }

    /** Rejects placeholders without a value, such as the result of a member not waited for. */
    static void checkPlaceholders(Planned member, JsonNode parameters) {
        for (var name : Placeholders.in(member.run().value())) {
            if (name.startsWith(PARAMS) && !parameters.has(name.substring(PARAMS.length()))) {
                throw Given.bad(member.name(), "${" + name + "}", "a parameter that has a value");
            }
            if (name.startsWith(RESULTS)
                    && !member.follows().contains(name.substring(RESULTS.length()))) {
                throw Given.bad(
                        member.name(), "${" + name + "}", "the result of a member in its 'after'");
            }
        }
    }

    /**
     * The request for the run of a member, with its placeholders replaced. {@code naming} maps the
     * requested name of the session to a free one.
     */
    static StartRunRequest request(
            Planned member,
            UnaryOperator<String> naming,
            SessionType kind,
            Function<String, Optional<String>> values) {
        var run = (ObjectNode) filled(Json.read(member.run().value()), values);
        var name = run.path("session_name").asString(member.name());
        run.put("session_name", naming.apply(name));
        if (!run.has("session_type")) run.put("session_type", Shape.word(kind));
        if (!run.has("execution_mode")) {
            run.put("execution_mode", Shape.word(ExecutionMode.ASYNC_POLL));
        }
        return Inputs.read(StartRunRequest.class, part -> run.get(part.name()));
    }

    /**
     * The values of placeholders in the texts of a member. Rejects more text than a run may have:
     * the same value may be inserted many times.
     */
    static Function<String, Optional<String>> values(
            Planned member, JsonNode parameters, Function<String, Optional<String>> results) {
        var inserted = new AtomicLong();
        return name ->
                value(name, member, parameters, results)
                        .map(value -> {
                            long sum = inserted.addAndGet(value.length());
                            if (sum <= Sizes.PARAMETERS_BYTES_MAX) return value;
                            throw new Rejected(
                                    new RequestRefusal.TooLarge(
                                            member.name() + " with its placeholders",
                                            sum,
                                            Sizes.PARAMETERS_BYTES_MAX));
                        });
    }

    private static Optional<String> value(
            String name,
            Planned member,
            JsonNode parameters,
            Function<String, Optional<String>> results) {
        if (name.equals("member")) return Optional.of(member.name());
        if (name.startsWith(RESULTS)) return results.apply(name.substring(RESULTS.length()));
        if (!name.startsWith(PARAMS)) return Optional.empty();
        return Optional.ofNullable(parameters.get(name.substring(PARAMS.length())))
                .map(v -> v.isValueNode() ? v.asString() : v.toString());
    }

    private static JsonNode filled(JsonNode node, Function<String, Optional<String>> values) {
        if (node.isString()) return Json.tree(Placeholders.resolved(node.asString(), values));
        if (node instanceof ObjectNode object) {
            for (var field : List.copyOf(object.properties())) {
                object.set(field.getKey(), filled(field.getValue(), values));
            }
        }
        if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) array.set(i, filled(array.get(i), values));
        }
        return node;
    }
}
