package dev.coppice.mcp;

import dev.coppice.kernel.Refusal;
import dev.coppice.mcp.Messages.Content;
import dev.coppice.mcp.Messages.ToolResult;
import dev.coppice.operation.Advice;
import dev.coppice.web.Problems;
import dev.coppice.wire.Json;

import java.util.List;
import java.util.function.UnaryOperator;

/** Converts the outcomes of an operation to results of its tool. A refusal is a result, too. */
record Result<O>(Tool<?, O> tool, UnaryOperator<ToolResult> whole) {
    static final Advice ADVICE = new ToolAdvice();

    @SuppressWarnings("unchecked")
    Tool.Answer answer(Object value) {
        return tool.result().of((O) value);
    }

    ToolResult of(Tool.Answer answer) {
        return whole.apply(
                new ToolResult(
                        contents(answer.said(), answer.value()),
                        !answer.done(),
                        answer.value(),
                        null,
                        null));
    }

    /** Has no structured content: clients validate that against the output schema. */
    ToolResult refused(Refusal refusal) {
        var over = tool.result().refused(refusal);
        if (over != null) return of(over);
        var said = "%s. %s".formatted(refusal.said(), ADVICE.of(refusal));
        var problem = Problems.problem(refusal, ADVICE);
        return whole.apply(new ToolResult(contents(said, problem), true, null, null, null));
    }

    /** Repeats the value as text, for clients that predate structured content. */
    private static List<Content> contents(String said, Object value) {
        var whole = new Content(Json.write(value));
        return said.isEmpty() ? List.of(whole) : List.of(new Content(said), whole);
    }
}
