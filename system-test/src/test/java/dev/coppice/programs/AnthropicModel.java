package dev.coppice.programs;

import static dev.coppice.programs.ScriptedModel.event;
import static dev.coppice.programs.ScriptedModel.made;
import static dev.coppice.programs.ScriptedModel.send;
import static dev.coppice.programs.ScriptedModel.stream;

import com.sun.net.httpserver.HttpExchange;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The Messages API of Anthropic, as far as programs use it. */
final class AnthropicModel {
    private AnthropicModel() {}

    static void messages(HttpExchange x, JsonNode body) throws IOException, InterruptedException {
        var script = Script.of(body.path("messages"), "content", "\"tool_use\"");
        if (script.fails(x)) return;
        var call = script.callAfterPause(body);
        var usage =
                Map.of(
                        "input_tokens", script.spend(0, 100),
                        "output_tokens", 1,
                        "cache_creation_input_tokens", 0,
                        "cache_read_input_tokens", 0);
        var message = new LinkedHashMap<String, Object>();
        message.put("id", made("msg_"));
        message.put("type", "message");
        message.put("role", "assistant");
        message.put("model", String.valueOf(Json.text(body, "model")));
        message.put("content", List.of());
        message.put("stop_reason", null);
        message.put("usage", usage);
        var stop = call == null ? "end_turn" : "tool_use";
        long written = script.spend(1, 20);
        if (!body.path("stream").asBoolean(false)) {
            message.put("content", List.of(block(call, script)));
            message.put("stop_reason", stop);
            send(x, 200, message);
            return;
        }
        try (var out = stream(x)) {
            event(out, "message_start", Map.of("message", message));
            block(out, call, script);
            event(out, "content_block_stop", Map.of("index", 0));
            event(
                    out,
                    "message_delta",
                    Map.of(
                            "delta", Map.of("stop_reason", stop),
                            "usage", Map.of("output_tokens", written)));
            event(out, "message_stop", Map.of());
        }
    }

    private static Map<String, Object> block(@Nullable String call, Script script) {
        if (call == null) return Map.of("type", "text", "text", script.say());
        return Map.of(
                "type",
                "tool_use",
                "id",
                made("toolu_"),
                "name",
                Script.tool(call),
                "input",
                Json.read(Script.arguments(call)));
    }

    private static void block(OutputStream out, @Nullable String call, Script script)
            throws IOException, InterruptedException {
        var block = new LinkedHashMap<>(block(call, script));
        if (call == null) {
            block.put("text", "");
            event(out, "content_block_start", Map.of("index", 0, "content_block", block));
            for (var part : script.parts()) {
                var delta = Map.of("type", "text_delta", "text", part);
                event(out, "content_block_delta", Map.of("index", 0, "delta", delta));
            }
            return;
        }
        block.put("input", Map.of());
        event(out, "content_block_start", Map.of("index", 0, "content_block", block));
        var delta = Map.of("type", "input_json_delta", "partial_json", Script.arguments(call));
        event(out, "content_block_delta", Map.of("index", 0, "delta", delta));
    }
}
