package dev.coppice.mcp;

import dev.coppice.kernel.Refusal;
import dev.coppice.operation.Operation;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** An operation as a tool: its listing, and the conversion of its answers. */
record Tool<I extends Record, O>(Listing listing, Operation<I, O> operation, Result<O> result) {

    /**
     * The tool as clients list it. {@code output} is null if it has no schema; {@code fixed} are
     * fields that the tool sets itself, and {@code hidden} fields that it does not offer.
     */
    record Listing(
            String name,
            String title,
            String description,
            @Nullable Class<?> output,
            Map<String, String> fixed,
            Set<String> hidden) {}

    /** Converts the operation's outcome to the tool's answer. */
    interface Result<O> {
        Answer of(O answer);

        /** The answer to a refusal that means that nothing is left to do; null for others. */
        default @Nullable Answer refused(Refusal refusal) {
            return null;
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
    record Answer(boolean done, String said, Object value) {}
}
