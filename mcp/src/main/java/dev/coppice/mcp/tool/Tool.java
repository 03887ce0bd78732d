package dev.coppice.mcp.tool;

import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.mcp.call.BrokenCall;
import dev.coppice.mcp.call.Cancelled;
import dev.coppice.mcp.call.Channel;
import dev.coppice.mcp.call.Unanswered;
import dev.coppice.mcp.message.Envelopes.Answer;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.wire.Json;
import dev.coppice.wire.Length;
import dev.coppice.wire.Shape;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** An operation as a tool: its listing, the arguments of its calls, and its answers. */
public record Tool<I extends Record, O>(
        Listing listing, Operation<I, O> operation, Result<O> result, Manner<O> manner) {
    /** Clients give up after a minute; this wait ends before that. */
    static final String PATIENCE = "45s";

    /** The names that tools about an agent have for the fields of a session. */
    static final Map<String, String> OF_AGENT =
            Map.of("session_id", "agent_id", "session_name", "agent_name");

    Tool(Listing listing, Operation<I, O> operation, Result<O> result) {
        this(listing, operation, result, new Manner<>() {});
    }

    /** Reads the arguments of a call. Fields that are not in the schema are rejected. */
    Arguments read(JsonNode given) {
        if (!given.isObject()) throw unfit("arguments", given, "an object");
        var parts = offered();
        boolean named = isNamed();
        var values = new LinkedHashMap<String, JsonNode>();
        for (var argument : given.properties()) {
            var name = argument.getKey();
            var part = parts.stream().filter(p -> shown(p).equals(name)).findFirst();
            boolean isName = named && name.equals(listing.shown(Arguments.SESSION_NAME));
            if (part.isEmpty() && !isName) {
                var names = new ArrayList<>(parts.stream().map(this::shown).toList());
                if (named) names.add(listing.shown(Arguments.SESSION_NAME));
                throw unfit("arguments", name, "one of " + String.join(", ", names));
            }
            var value = argument.getValue();
            // Some clients send empty values for absent arguments.
            if (value.isNull() || (value.isString() && value.asString().isBlank())) continue;
            var type = part.isPresent() ? part.get().type() : String.class;
            if (isFlag(type) && !value.isBoolean()) throw unfit(name, value, "true or false");
            if (isText(type) && !value.isString()) throw unfit(name, value, "a text");
            values.put(isName ? Arguments.SESSION_NAME : part.orElseThrow().name(), value);
        }
        if (named
                && values.containsKey(Arguments.SESSION_ID)
                && values.containsKey(Arguments.SESSION_NAME)) {
            var rule = "omitted if %s is sent".formatted(listing.shown(Arguments.SESSION_ID));
            throw unfit(
                    listing.shown(Arguments.SESSION_NAME),
                    values.get(Arguments.SESSION_NAME).asString(),
                    rule);
        }
        listing.fixed().forEach((name, value) -> values.put(name, Json.tree(value)));
        return new Arguments(values);
    }

    private String shown(Shape.Part part) {
        return listing.shown(part.name());
    }

    /** The fields that callers of the tool may send. */
    List<Shape.Part> offered() {
        return Shape.of(operation.call().input()).flat().stream()
                .filter(part -> !listing.hidden().contains(part.name()))
                .toList();
    }

    /** True if the tool takes the name of its session in place of the id. */
    boolean isNamed() {
        var names = offered().stream().map(Shape.Part::name).toList();
        return names.contains(Arguments.SESSION_ID) && !names.contains(Arguments.SESSION_NAME);
    }

    private static boolean isFlag(Type type) {
        return type == boolean.class || type == Boolean.class;
    }

    private static boolean isText(Type type) {
        return type == String.class
                || type == Length.class
                || (type instanceof Class<?> c && c.isEnum());
    }

    private static Rejected unfit(String name, Object value, String rule) {
        return new Rejected(new RequestRefusal.BadValue(name, String.valueOf(value), rule));
    }

    /** The part of a tool around its operation: asking the client first, and calling off. */
    interface Manner<O> {
        /** May ask the client first; returns the arguments to perform the operation with. */
        default Arguments confirmed(Context context, Arguments arguments, Channel channel)
                throws BrokenCall, Unanswered, Cancelled, Declined {
            return arguments;
        }

        /** Stops what a call has begun; false if it cannot be stopped any more. */
        default boolean callOff(Context context, O first) {
            return true;
        }

        /** The answer to a refusal that means that nothing is left to do; null for others. */
        default @Nullable Answer over(Context context, Refusal refusal) {
            return null;
        }

        /** The name by which the operation is found after a restart; null if it has none. */
        default @Nullable String name(O first) {
            return null;
        }
    }

    /** The user declined the call. */
    static final class Declined extends Exception {
        private static final long serialVersionUID = 1;

        Declined(String said) {
            super(said);
        }
    }

    /**
     * The tool as clients list it. {@code output} is null if it has no schema; {@code fixed} are
     * fields that the tool sets itself, {@code hidden} fields that it does not offer, and {@code
     * names} fields that it offers under other names. If {@code isById}, its schema requires the id
     * of the session, as clients expect.
     */
    record Listing(
            String name,
            String title,
            String description,
            @Nullable Class<?> output,
            Map<String, String> fixed,
            Set<String> hidden,
            Map<String, String> names,
            boolean isById) {
        Listing(
                String name,
                String title,
                String description,
                @Nullable Class<?> output,
                Map<String, String> fixed,
                Set<String> hidden) {
            this(name, title, description, output, fixed, hidden, Map.of(), false);
        }

        Listing calling(Map<String, String> others) {
            return new Listing(name, title, description, output, fixed, hidden, others, isById);
        }

        /** The text with the names under which the tool offers the fields that it names. */
        String worded(String text) {
            var worded = text;
            for (var each : names.entrySet()) {
                worded = worded.replaceAll("\\b%s\\b".formatted(each.getKey()), each.getValue());
            }
            return worded;
        }

        /** The name under which the tool offers a field of the operation. */
        String shown(String field) {
            return names.getOrDefault(field, field);
        }
    }

    /** Converts the operation's outcome to the tool's answer. */
    interface Result<O> {
        Answer of(O answer);

        /** Other forms that the answer may have. */
        default List<Class<?>> others() {
            return List.of();
        }

        /** The progress steps of a call with these arguments, in order. */
        default List<Step> steps(Function<String, @Nullable String> arguments) {
            return List.of();
        }

        /** The steps that a finished call passed; they may have been too quick for a look. */
        default List<Step> passed(O answer) {
            return List.of();
        }
    }

    /** A step, and the percent that is reached when it is done. */
    record Step(int percent, String said) {}

    /** A sentence for people and a value for programs; an error unless {@code done}. */
    record Answer(boolean done, String said, Object value) {
        /** The field that holds an answer that is a list. */
        static final String ITEMS = "items";

        /** An answer without a sentence. A list becomes a field, because results are objects. */
        static Answer whole(Object answer) {
            var tree = Json.tree(answer);
            return new Answer(true, "", tree.isArray() ? Map.of(ITEMS, tree) : tree);
        }
    }
}
