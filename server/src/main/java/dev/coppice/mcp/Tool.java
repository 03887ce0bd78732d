package dev.coppice.mcp;

import dev.coppice.kernel.Refusal;
import dev.coppice.operation.Operation;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** An operation as a tool: how it is listed, and what its answer comes to. */
record Tool<I extends Record, O>(Listing listing, Operation<I, O> operation, Result<O> result) {

    /**
     * How clients list it. {@code output} is null if the tool promises no shape; {@code fixed} are
     * fields that the tool sets itself, and {@code hidden} fields that it does not offer.
     */
    record Listing(
            String name,
            String title,
            String description,
            @Nullable Class<?> output,
            Map<String, String> fixed,
            Set<String> hidden) {}

    /** What the answer of the operation comes to. */
    interface Result<O> {
        Answer of(O answer);

        /** What a refusal comes to that means that nothing is left to do; null for others. */
        default @Nullable Answer refused(Refusal refusal) {
            return null;
        }

        /** What is told on the way, in the order of what was asked for. */
        default List<Step> steps(Function<String, @Nullable String> arguments) {
            return List.of();
        }

        /** What was passed on the way, once it is done: too quick to be seen, it is told then. */
        default List<Step> passed(O answer) {
            return List.of();
        }
    }

    /** How far it has come once this is done, in percent. */
    record Step(int percent, String said) {}

    /** A sentence for people, a value for programs, and whether it was done. */
    record Answer(boolean done, String said, Object value) {}
}
