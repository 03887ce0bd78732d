package dev.coppice.runner.drive.dialect;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Stores messages that a dialect does not know, and logs each kind once. */
public final class Unknown {
    private static final System.Logger LOG = System.getLogger("driver");
    private final String program;
    private final Upstream up;
    private final Set<String> seen = new HashSet<>();

    public Unknown(String program, Upstream up) {
        this.program = program;
        this.up = up;
    }

    /** Gives a line to the dialect; a line that it cannot read is stored. */
    public void orHeard(Dialect dialect, String line) {
        if (line.isBlank()) return;
        var message = Json.valueOf(line);
        if (message == null || !message.isObject()) {
            heard("no JSON", Json.tree(line));
            return;
        }
        try {
            dialect.heard(message);
        } catch (RuntimeException e) {
            // A field of another type than expected, deep in a message of a newer program.
            heard("unreadable, " + e.getClass().getSimpleName(), message);
        }
    }

    public void heard(String kind, JsonNode message) {
        if (seen.add(kind)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} sends messages of the kind {1}, which this driver does not know; they are"
                            + " stored as events",
                    program,
                    kind);
        }
        up.event(
                Upstream.SELF,
                "program_message",
                Map.of("program", program, "kind", kind, "message", message));
    }
}
