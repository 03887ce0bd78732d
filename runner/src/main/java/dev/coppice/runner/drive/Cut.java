package dev.coppice.runner.drive;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;

/** Cuts long texts of an event, so that the coordinator accepts it. */
final class Cut {
    /** Less than the coordinator's limit of 1 MiB, for the fields that it adds. */
    private static final int EVENT_BYTES_MAX = 900_000;

    private static final int TEXT_CHARS_MAX = 200_000;

    private Cut() {}

    static ObjectNode fitting(ObjectNode event) {
        var fitting = event;
        for (int max = TEXT_CHARS_MAX; !fits(fitting); max /= 4) {
            if (max < 100) return emptied(event);
            fitting = (ObjectNode) cut(event, max);
        }
        return fitting;
    }

    private static boolean fits(ObjectNode event) {
        return event.toString().getBytes(StandardCharsets.UTF_8).length <= EVENT_BYTES_MAX;
    }

    private static ObjectNode emptied(ObjectNode event) {
        var type = event.get("event_type");
        return Json.object().put("event_type", type.asString()).put("cut", "too large to be kept");
    }

    private static JsonNode cut(JsonNode value, int max) {
        return switch (value) {
            case ObjectNode object -> {
                var copy = Json.object();
                for (var field : object.properties()) {
                    copy.set(field.getKey(), cut(field.getValue(), max));
                }
                yield copy;
            }
            case ArrayNode list -> {
                var copy = Json.object().putArray("copy");
                for (var each : list) copy.add(cut(each, max));
                yield copy;
            }
            default -> value.isString() ? Json.tree(cut(value.asString(), max)) : value;
        };
    }

    private static String cut(String text, int max) {
        if (text.length() <= max) return text;
        int end = Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
        return text.substring(0, end)
                + "\n[cut here: %d of %d characters]".formatted(end, text.length());
    }
}
