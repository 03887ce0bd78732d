package dev.coppice.wire.event;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What an event tells a person about its agent, whatever the program is. */
public record Saying(Kind kind, String text) {
    /** How it came about. */
    public enum Kind {
        /** Somebody told the agent to do it. */
        TOLD,
        /** The agent said it. */
        SAYS,
        /** The agent uses a tool. */
        DOES,
        /** Its program reported an error. */
        FAILED
    }

    /** The fields in which programs report the last message of an agent. */
    private static final List<String> LAST_WORDS =
            List.of("last_assistant_message", "prompt_response");

    private static final Set<String> EDITORS =
            Set.of("Edit", "MultiEdit", "NotebookEdit", "edit", "replace", "apply_patch");
    private static final Set<String> WRITERS = Set.of("Write", "write", "write_file");
    private static final Set<String> READERS = Set.of("Read", "read", "read_file");
    private static final List<String> FILES =
            List.of("file_path", "notebook_path", "absolute_path", "filePath", "path");

    /** Reads an event; empty if it tells nothing that a person wants to know. */
    public static Optional<Saying> of(String type, JsonNode details) {
        var payload = payload(details);
        var tool = Json.textIfAny(payload, "tool_name");
        if (tool != null) return Optional.of(new Saying(Kind.DOES, use(tool, payload)));
        for (var field : LAST_WORDS) {
            var text = Json.textIfAny(payload, field);
            if (text != null) return said(Kind.SAYS, text);
        }
        return switch (type) {
            case "message" -> {
                boolean isUser = "user".equals(Json.textIfAny(payload, "role"));
                yield said(isUser ? Kind.TOLD : Kind.SAYS, content(payload.path("content")));
            }
            case "UserPromptSubmit", "BeforeAgent", "beforeSubmitPrompt" ->
                    said(Kind.TOLD, orEmpty(Json.textIfAny(payload, "prompt")));
            case "program_error" -> {
                var error = Json.textIfAny(payload, "error");
                yield said(Kind.FAILED, error == null ? "its program reports an error" : error);
            }
            default -> Optional.empty();
        };
    }

    /** The fields that the program itself gave: some programs send them within another object. */
    public static JsonNode payload(JsonNode details) {
        return details.path("payload").isObject() ? details.path("payload") : details;
    }

    private static Optional<Saying> said(Kind kind, String text) {
        return text.isBlank() ? Optional.empty() : Optional.of(new Saying(kind, text.strip()));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** The text of a message: it is text, or a list of parts of which some have text. */
    public static String content(JsonNode content) {
        if (content.isString()) return content.asString();
        var text = new StringBuilder();
        if (!content.isArray()) return "";
        for (var part : content) {
            text.append(part.isString() ? part.asString() : orEmpty(Json.textIfAny(part, "text")));
        }
        return text.toString();
    }

    private static String use(String tool, JsonNode payload) {
        var input = payload.path("tool_input");
        if (EDITORS.contains(tool)) return onFile("edits", tool, input);
        if (WRITERS.contains(tool)) return onFile("writes", tool, input);
        if (READERS.contains(tool)) return onFile("reads", tool, input);
        var subject = ToolInput.subject(input).strip();
        return subject.isEmpty() ? tool : tool + ": " + subject;
    }

    /** The verb with the last name of the path, which tells more in a line than its beginning. */
    private static String onFile(String verb, String tool, JsonNode input) {
        for (var field : FILES) {
            var path = Json.textIfAny(input, field);
            if (path == null || path.isBlank()) continue;
            var name = lastName(path.strip());
            if (!name.isEmpty()) return verb + " " + name;
        }
        var subject = ToolInput.subject(input).strip();
        return subject.isEmpty() ? tool : tool + ": " + subject;
    }

    private static String lastName(String path) {
        int end = path.length();
        while (end > 0 && isSeparator(path.charAt(end - 1))) end--;
        int from = end;
        while (from > 0 && !isSeparator(path.charAt(from - 1))) from--;
        return path.substring(from, end);
    }

    private static boolean isSeparator(char letter) {
        return letter == '/' || letter == '\\';
    }
}
