package dev.coppice.wire.event;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Describes the input of a tool of any program. */
public final class ToolInput {
    private static final List<String> TELLING =
            List.of(
                    "command",
                    "cmd",
                    "file_path",
                    "notebook_path",
                    "path",
                    "url",
                    "query",
                    "pattern",
                    "plan",
                    "description",
                    "subagent_type",
                    "prompt");

    private ToolInput() {}

    /** The most telling value of the input; the whole input if there is none. */
    public static String subject(JsonNode input) {
        for (var name : TELLING) {
            var value = input.path(name);
            if (value.isString()) return value.asString();
            // A command may be an array of words.
            if (value.isArray() && !value.isEmpty()) {
                return String.join(" ", value.valueStream().map(ToolInput::text).toList());
            }
        }
        return input.isMissingNode() ? "" : input.toString();
    }

    private static String text(JsonNode value) {
        return value.isValueNode() ? value.asString() : value.toString();
    }
}
