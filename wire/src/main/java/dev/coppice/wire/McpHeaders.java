package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/** The headers that requests of the Model Context Protocol carry, and how they hold any text. */
public final class McpHeaders {
    public static final String SESSION = "Mcp-Session-Id";
    public static final String VERSION = "MCP-Protocol-Version";
    public static final String METHOD = "Mcp-Method";
    public static final String NAME = "Mcp-Name";

    private static final String BEGIN = "=?base64?";
    private static final String END = "?=";

    /** The parameter that the header {@link #NAME} repeats, by method. */
    private static final Map<String, String> NAMED =
            Map.of(
                    "tools/call", "name",
                    "prompts/get", "name",
                    "resources/read", "uri",
                    "tasks/get", "taskId",
                    "tasks/update", "taskId",
                    "tasks/cancel", "taskId");

    private McpHeaders() {}

    /** The parameter of this method that {@link #NAME} repeats; null if there is none. */
    public static @Nullable String named(String method) {
        return NAMED.get(method);
    }

    /** Encodes what a header cannot hold. */
    public static String encoded(String value) {
        boolean isPlain =
                value.chars().allMatch(c -> c > ' ' && c < 127) && !value.startsWith(BEGIN);
        if (isPlain) return value;
        var bytes = value.getBytes(StandardCharsets.UTF_8);
        return BEGIN + Base64.getEncoder().encodeToString(bytes) + END;
    }

    /** Decodes a header; a value that is not encoded, or not well, stands for itself. */
    public static String decoded(String value) {
        int end = value.length() - END.length();
        if (!value.startsWith(BEGIN) || !value.endsWith(END) || end < BEGIN.length()) return value;
        try {
            var inner = value.substring(BEGIN.length(), end);
            var text = new String(Base64.getDecoder().decode(inner), StandardCharsets.UTF_8);
            var bytes = text.getBytes(StandardCharsets.UTF_8);
            // The decoders accept a missing padding and bytes that are no text.
            boolean isStrict = Base64.getEncoder().encodeToString(bytes).equals(inner);
            return isStrict ? text : value;
        } catch (IllegalArgumentException _) {
            return value;
        }
    }
}
