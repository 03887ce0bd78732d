package dev.coppice.originals.family;

import dev.coppice.observe.Observations.Sent;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An event with the parts that figures need, read token by token: a tree takes many times more. */
record Seen(
        Sent sent, Map<String, String> fields, Map<String, String> payload, List<String> tools) {
    private static final Set<String> FAILURES = Set.of("PostToolUseFailure", "StopFailure");

    static Seen of(Sent sent) {
        var seen = new Seen(sent, new HashMap<>(), new HashMap<>(), new ArrayList<>());
        try (var parser = Json.parser(sent.body().value())) {
            parser.nextToken();
            seen.read(parser);
        } catch (JacksonException e) {
            throw Json.unreadable(e);
        }
        return seen;
    }

    private void read(JsonParser parser) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            var name = parser.currentName();
            boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
            if (isObject && name.equals("payload")) readPayload(parser);
            else read(name, parser, fields);
        }
    }

    private void readPayload(JsonParser parser) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            var name = parser.currentName();
            boolean isArray = parser.nextToken() == JsonToken.START_ARRAY;
            if (isArray && name.equals("tools_used")) readTools(parser);
            else read(name, parser, payload);
        }
    }

    private static void read(String name, JsonParser parser, Map<String, String> into) {
        var token = parser.currentToken();
        if (token.isScalarValue() && token != JsonToken.VALUE_NULL) {
            into.put(name, parser.getString());
        }
        parser.skipChildren();
    }

    private void readTools(JsonParser parser) {
        for (var token = parser.nextToken();
                token != JsonToken.END_ARRAY;
                token = parser.nextToken()) {
            if (token == JsonToken.VALUE_STRING && !parser.getString().isEmpty()) {
                tools.add(parser.getString());
            }
            parser.skipChildren();
        }
    }

    String type() {
        return fields.getOrDefault("hook_event_type", "");
    }

    String session() {
        return fields.getOrDefault("session_id", "");
    }

    String app() {
        return fields.getOrDefault("source_app", "");
    }

    String correlation() {
        return fields.getOrDefault("correlation_id", "");
    }

    String tool() {
        return payload.getOrDefault("tool_name", "");
    }

    String agentType() {
        return payload.getOrDefault("agent_type", "");
    }

    Optional<String> agent() {
        return Optional.ofNullable(payload.get("agent_id")).filter(id -> !id.isEmpty());
    }

    @Nullable String error() {
        var error = payload.getOrDefault("error", "");
        if (!error.isEmpty()) return error;
        return FAILURES.contains(type()) ? type() : null;
    }

    long millis() {
        try {
            return (long) Double.parseDouble(payload.getOrDefault("duration_ms", "0"));
        } catch (NumberFormatException _) {
            return 0;
        }
    }
}
