package dev.coppice.mcp.tool;

import dev.coppice.kernel.Refusal;
import dev.coppice.mcp.call.Call;
import dev.coppice.mcp.call.Cancelled;
import dev.coppice.mcp.call.Channel;
import dev.coppice.mcp.call.Unanswered;
import dev.coppice.mcp.message.Envelopes.Answer;
import dev.coppice.operation.Context;
import dev.coppice.operation.Operation;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** An operation as a tool: its listing, and the conversion of its answers. */
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

    /** The part of a tool around its operation: asking the client first, and calling off. */
    interface Manner<O> {
        /** May ask the client first; returns the arguments to perform the operation with. */
        default Arguments confirmed(Context context, Arguments arguments, Channel channel)
                throws Call.Broken, Unanswered, Cancelled, Declined {
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

    /** The user does not want it. */
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
