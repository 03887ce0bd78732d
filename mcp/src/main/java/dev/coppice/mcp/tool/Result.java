package dev.coppice.mcp.tool;

import dev.coppice.kernel.Refusal;
import dev.coppice.mcp.message.Lists.Content;
import dev.coppice.mcp.message.Lists.ToolResult;
import dev.coppice.request.Wording;
import dev.coppice.web.Problems;
import dev.coppice.wire.Json;

import java.util.List;

/** Converts the outcomes of an operation to results of its tool. A refusal is a result, too. */
record Result<O>(Tool<?, O> tool) {
    private static final int CHARS_MAX = 2 * 1024 * 1024;

    @SuppressWarnings("unchecked")
    Tool.Answer answer(Object value) {
        return tool.result().of((O) value);
    }

    ToolResult of(Tool.Answer answer) {
        return shown(answer);
    }

    static ToolResult shown(Tool.Answer answer) {
        var text = Json.write(answer.value());
        if (text.length() > CHARS_MAX) return tooLarge(text.length());
        return new ToolResult(contents(answer.said(), text), !answer.done(), answer.value());
    }

    /** The answer to a call whose value is too large: a model does not read so much text. */
    private static ToolResult tooLarge(int chars) {
        var said =
                ("It is done, but the answer has %d characters, and that of a tool at most %d."
                                + " Ask for less at once, with 'limit', or read it with 'coppice'.")
                        .formatted(chars, CHARS_MAX);
        return new ToolResult(List.of(new Content(said)), true, null);
    }

    /** Has no structured content: clients validate that against the output schema. */
    ToolResult refused(Refusal refusal) {
        var said =
                tool.listing()
                        .worded("%s. %s".formatted(refusal.said(), Wording.MCP.advice(refusal)));
        var problem = Problems.problem(refusal, Wording.MCP);
        return new ToolResult(contents(said, Json.write(problem)), true, null);
    }

    ToolResult declined(String said) {
        return new ToolResult(List.of(new Content(said)), true, null);
    }

    /** Repeats the value as text, for clients that predate structured content. */
    private static List<Content> contents(String said, String value) {
        var whole = new Content(value);
        return said.isEmpty() ? List.of(whole) : List.of(new Content(said), whole);
    }
}
