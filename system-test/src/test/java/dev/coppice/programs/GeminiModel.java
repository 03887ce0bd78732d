package dev.coppice.programs;

import static dev.coppice.programs.ScriptedModel.data;
import static dev.coppice.programs.ScriptedModel.send;
import static dev.coppice.programs.ScriptedModel.stream;

import com.sun.net.httpserver.HttpExchange;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The API of Gemini, as far as its program uses it. */
final class GeminiModel {
    private GeminiModel() {}

    static void content(HttpExchange x, JsonNode body, boolean isStream)
            throws IOException, InterruptedException {
        var script = Script.of(body.path("contents"), "parts", "\"functionCall\"");
        if (script.fails(x)) return;
        var call = script.callAfterPause(body);
        var answer = answer(part(body, call, script), script);
        if (!isStream) {
            send(x, 200, answer);
            return;
        }
        try (var out = stream(x)) {
            data(out, Json.write(answer));
        }
    }

    private static Map<String, ?> part(JsonNode body, @Nullable String call, Script script) {
        if (call != null) {
            var arguments = Json.read(Script.arguments(call));
            return Map.of("functionCall", Map.of("name", Script.tool(call), "args", arguments));
        }
        // The program first asks which model suits a prompt, and wants a choice as JSON.
        boolean isChoice =
                body.at("/generationConfig/responseMimeType").asString("").contains("json");
        var choice = Map.of("complexity_reasoning", "scripted", "complexity_score", 1);
        return Map.of("text", isChoice ? Json.write(choice) : script.say());
    }

    private static Map<String, ?> answer(Map<String, ?> part, Script script) {
        var content = Map.of("role", "model", "parts", List.of(part));
        long read = script.spend(0, 100);
        long written = script.spend(1, 20);
        return Map.of(
                "candidates",
                List.of(Map.of("content", content, "finishReason", "STOP", "index", 0)),
                "usageMetadata",
                Map.of(
                        "promptTokenCount", read,
                        "candidatesTokenCount", written,
                        "totalTokenCount", read + written));
    }
}
