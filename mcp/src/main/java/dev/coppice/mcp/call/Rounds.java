package dev.coppice.mcp.call;

import dev.coppice.mcp.message.Changes.InputRequest;
import dev.coppice.mcp.message.Changes.InputRequired;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Asks a client of the stateless era: the request ends with the questions, and the client repeats
 * it with their answers and a sealed state of the answers before.
 */
public final class Rounds implements Asking {
    private static final int ANSWERS_CHARS_MAX = 64 * 1024;

    private final Seal seal;
    private final Call call;
    private final Map<String, JsonNode> given = new HashMap<>();
    private final Map<String, JsonNode> used = new LinkedHashMap<>();

    public Rounds(Seal seal, Call call) throws BrokenCall {
        this.seal = seal;
        this.call = call;
        var state = Json.text(call.params(), "requestState");
        if (state != null) given.putAll(seal.open(call, state));
        given.putAll(responses(call.params().get("inputResponses")));
    }

    /** The answers of a client. Those to questions that nobody asked are ignored later. */
    public static Map<String, JsonNode> responses(@Nullable JsonNode sent) throws BrokenCall {
        var responses = new HashMap<String, JsonNode>();
        if (sent == null) return responses;
        if (!sent.isObject()) {
            throw new BrokenCall(400, -32602, "inputResponses must be an object");
        }
        for (var each : sent.properties()) responses.put(each.getKey(), each.getValue());
        if (Json.write(sent).length() > ANSWERS_CHARS_MAX) {
            throw new BrokenCall(
                    400,
                    -32602,
                    "inputResponses must have at most %d characters".formatted(ANSWERS_CHARS_MAX));
        }
        return responses;
    }

    @Override
    public Map<String, JsonNode> answers(Map<String, Question> questions) throws Unanswered {
        var missing = new LinkedHashMap<String, InputRequest>();
        questions.forEach((key, question) -> {
            var answer = given.get(key);
            if (answer != null && question.isAnsweredBy(answer)) used.put(key, answer);
            else missing.put(key, question.shown());
        });
        if (!missing.isEmpty()) {
            throw new Unanswered(new InputRequired(missing, seal.close(call, used)));
        }
        return Map.copyOf(used);
    }
}
