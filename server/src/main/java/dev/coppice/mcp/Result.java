package dev.coppice.mcp;

import dev.coppice.web.Reply;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.function.UnaryOperator;

/** What a route has answered, as the result of a tool. A refusal is a result too, and says so. */
record Result(Tool tool, UnaryOperator<ObjectNode> whole) {

    Reply of(Reply reply) {
        return reply instanceof Reply.Patient(_, var wait)
                ? new Reply.Patient(200, time -> from(wait.within(time)))
                : Reply.ok(now(reply));
    }

    private @Nullable ObjectNode from(@Nullable Object value) {
        return value == null ? null : of(answer(value));
    }

    /** Of an answer that is there. */
    ObjectNode now(Reply reply) {
        return switch (reply) {
            case Reply.Body(_, var value) -> of(answer(value));
            case Reply.Text(_, _, var text) -> {
                var problem = Json.read(text);
                var over = tool.refused(problem);
                yield over == null ? refused(problem) : of(over);
            }
            case Reply.Nothing _, Reply.Stream _, Reply.File _, Reply.Patient _ ->
                    throw new IllegalStateException("no tool stands for such a route");
        };
    }

    Tool.Answer answer(Object value) {
        return tool.answer(Json.tree(value));
    }

    ObjectNode of(Tool.Answer answer) {
        var result = result(answer.said(), answer.value(), !answer.done());
        result.set("structuredContent", answer.value());
        return whole.apply(result);
    }

    /** Not as a value: clients hold those against what the tool says that it gives. */
    private ObjectNode refused(JsonNode problem) {
        var said = Json.text(problem, "error");
        var whole = "%s. %s".formatted(said, Json.text(problem, "advice"));
        return this.whole.apply(result(whole, problem, true));
    }

    /** The value also as text, for clients from before there were values. */
    private static ObjectNode result(String said, JsonNode value, boolean isError) {
        var result = Json.object();
        var content = result.putArray("content");
        content.add(text(said));
        content.add(text(Json.write(value)));
        return result.put("isError", isError);
    }

    private static ObjectNode text(String text) {
        return Json.object().put("type", "text").put("text", text);
    }
}
