package dev.coppice.mcp;

import dev.coppice.kernel.Refusal;
import dev.coppice.mcp.Messages.Content;
import dev.coppice.mcp.Messages.ToolResult;
import dev.coppice.web.Problems;
import dev.coppice.wire.Json;

import java.util.List;
import java.util.function.UnaryOperator;

/** The outcome of an operation as the result of a tool. A refusal is a result, too. */
record Result<O>(Tool<?, O> tool, UnaryOperator<ToolResult> whole) {

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

    /** Not as structured content: clients check that against the schema of the output. */
    ToolResult refused(Refusal refusal) {
        var over = tool.result().refused(refusal);
        if (over != null) return of(over);
        var said = "%s. %s".formatted(refusal.said(), ToolAdvice.of(refusal));
        return whole.apply(
                new ToolResult(contents(said, Problems.problem(refusal)), true, null, null, null));
    }

    /** The value also as text, for clients from before there was structured content. */
    private static List<Content> contents(String said, Object value) {
        return List.of(new Content(said), new Content(Json.write(value)));
    }
}
