package dev.coppice.cli;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** What the doctor has looked at, a line each, and what it came to. */
final class Findings {
    private final ArrayNode rows = Json.object().putArray("findings");
    private int open;

    void good(String what, String said) {
        rows.add(row("good", what, said));
    }

    /** Worth knowing, and nothing to mend: time, or someone else, will. */
    void told(String what, String said) {
        rows.add(row("told", what, said));
    }

    void wrong(String what, String said) {
        open++;
        rows.add(row("wrong", what, said));
    }

    void mended(String what, String said) {
        rows.add(row("mended", what, said));
    }

    boolean isAllWell() {
        return open == 0;
    }

    ArrayNode rows() {
        return rows;
    }

    private static JsonNode row(String verdict, String what, String said) {
        return Json.object().put("verdict", verdict).put("what", what).put("said", said);
    }

    static String line(JsonNode row) {
        var sign =
                switch (Shown.text(row, "verdict")) {
                    case "good" -> "✓";
                    case "told" -> "·";
                    case "mended" -> "+";
                    default -> "✗";
                };
        return "%s %-12s %s".formatted(sign, Shown.text(row, "what"), Shown.text(row, "said"));
    }
}
