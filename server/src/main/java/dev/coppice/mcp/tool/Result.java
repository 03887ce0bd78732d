package dev.coppice.mcp.tool;

import dev.coppice.kernel.Refusal;
import dev.coppice.mcp.message.list.Content;
import dev.coppice.mcp.message.list.ToolResult;
import dev.coppice.operation.Advice;
import dev.coppice.web.Problems;
import dev.coppice.wire.Json;

import java.util.List;

/** Converts the outcomes of an operation to results of its tool. A refusal is a result, too. */
public record Result<O>(Tool<?, O> tool) {
    public static final Advice ADVICE = new ToolAdvice();

    @SuppressWarnings("unchecked")
    Tool.Answer answer(Object value) {
        return tool.result().of((O) value);
    }

    ToolResult of(Tool.Answer answer) {
        return shown(answer);
    }

    static ToolResult shown(Tool.Answer answer) {
        return new ToolResult(
                contents(answer.said(), answer.value()), !answer.done(), answer.value());
    }

    /** Has no structured content: clients validate that against the output schema. */
    ToolResult refused(Refusal refusal) {
        var said = tool.listing().worded("%s. %s".formatted(refusal.said(), ADVICE.of(refusal)));
        var problem = Problems.problem(refusal, ADVICE);
        return new ToolResult(contents(said, problem), true, null);
    }

    ToolResult declined(String said) {
        return new ToolResult(List.of(new Content(said)), true, null);
    }

    /** Repeats the value as text, for clients that predate structured content. */
    private static List<Content> contents(String said, Object value) {
        var whole = new Content(Json.write(value));
        return said.isEmpty() ? List.of(whole) : List.of(new Content(said), whole);
    }
}
