package dev.coppice.programs;

import static dev.coppice.programs.ScriptedModel.data;
import static dev.coppice.programs.ScriptedModel.event;
import static dev.coppice.programs.ScriptedModel.made;
import static dev.coppice.programs.ScriptedModel.stream;

import com.sun.net.httpserver.HttpExchange;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The Responses and Chat Completions APIs of OpenAI, as far as programs use them. */
final class OpenAiModel {
    private OpenAiModel() {}

    static void responses(HttpExchange x, JsonNode body) throws IOException, InterruptedException {
        var said = new ArrayList<@Nullable String>();
        for (var item : body.path("input")) {
            var type = String.valueOf(Json.text(item, "type"));
            boolean isPrompt =
                    "user".equals(Json.text(item, "role")) || type.equals("agent_message");
            if (type.endsWith("_call")) said.add(null);
            else if (isPrompt) Script.texts(item.path("content"), said);
        }
        var script = Script.of(said);
        if (script.fails(x)) return;
        var call = script.call();
        script.pause();
        long read = script.spend(0, 100);
        long written = script.spend(1, 20);
        var usage =
                Map.of(
                        "input_tokens",
                        read,
                        "input_tokens_details",
                        Map.of("cached_tokens", 0),
                        "output_tokens",
                        written,
                        "output_tokens_details",
                        Map.of("reasoning_tokens", 0),
                        "total_tokens",
                        read + written);
        var response = new LinkedHashMap<String, Object>();
        response.put("id", made("resp_"));
        response.put("object", "response");
        response.put("status", "in_progress");
        response.put("model", String.valueOf(Json.text(body, "model")));
        response.put("output", List.of());
        try (var out = stream(x)) {
            event(out, "response.created", Map.of("response", response));
            var item = item(call, script);
            if (call == null) written(out, item, script);
            event(out, "response.output_item.done", Map.of("output_index", 0, "item", item));
            response.put("status", "completed");
            response.put("output", List.of(item));
            response.put("usage", usage);
            event(out, "response.completed", Map.of("response", response));
        }
    }

    private static Map<String, Object> item(@Nullable String call, Script script) {
        if (call == null) {
            return Map.of(
                    "type", "message",
                    "id", made("msg_"),
                    "role", "assistant",
                    "status", "completed",
                    "content",
                            List.of(
                                    Map.of(
                                            "type", "output_text",
                                            "text", script.say(),
                                            "annotations", List.of())));
        }
        var name = Script.tool(call);
        var item = new LinkedHashMap<String, Object>();
        if (name.equals("tool_search")) {
            item.put("type", "tool_search_call");
            item.put("id", made("tsc_"));
            item.put("call_id", made("call_"));
            item.put("execution", "client");
            item.put("arguments", Json.read(Script.arguments(call)));
            item.put("status", "completed");
            return item;
        }
        item.put("type", "function_call");
        item.put("id", made("fc_"));
        item.put("call_id", made("call_"));
        int space = name.indexOf("::");
        if (space > 0) item.put("namespace", name.substring(0, space));
        item.put("name", space > 0 ? name.substring(space + 2) : name);
        item.put("arguments", Script.arguments(call));
        item.put("status", "completed");
        return item;
    }

    private static void written(OutputStream out, Map<String, Object> item, Script script)
            throws IOException {
        event(out, "response.output_item.added", Map.of("output_index", 0, "item", item));
        for (var part : script.parts()) {
            event(
                    out,
                    "response.output_text.delta",
                    Map.of(
                            "item_id",
                            String.valueOf(item.get("id")),
                            "output_index",
                            0,
                            "content_index",
                            0,
                            "delta",
                            part));
        }
    }

    static void chat(HttpExchange x, JsonNode body) throws IOException, InterruptedException {
        var script = Script.of(body.path("messages"), "content", "\"tool_calls\"");
        if (script.fails(x)) return;
        var call = script.callAfterPause(body);
        var usage =
                Map.of(
                        "prompt_tokens", script.spend(0, 100),
                        "completion_tokens", script.spend(1, 20));
        try (var out = stream(x)) {
            if (call == null) {
                for (var part : script.parts()) chunk(out, Map.of("content", part), null, Map.of());
            } else {
                var function =
                        Map.of("name", Script.tool(call), "arguments", Script.arguments(call));
                var one =
                        Map.of(
                                "index",
                                0,
                                "id",
                                made("call_"),
                                "type",
                                "function",
                                "function",
                                function);
                chunk(out, Map.of("tool_calls", List.of(one)), null, Map.of());
            }
            chunk(out, Map.of(), call == null ? "stop" : "tool_calls", Map.of("usage", usage));
            data(out, "[DONE]");
        }
    }

    private static void chunk(
            OutputStream out, Map<String, ?> delta, @Nullable String end, Map<String, ?> more)
            throws IOException {
        var choice = new LinkedHashMap<String, Object>();
        choice.put("index", 0);
        choice.put("delta", delta);
        choice.put("finish_reason", end);
        var chunk = new LinkedHashMap<String, Object>(more);
        chunk.put("id", "chat");
        chunk.put("object", "chat.completion.chunk");
        chunk.put("choices", List.of(choice));
        data(out, Json.write(chunk));
    }
}
