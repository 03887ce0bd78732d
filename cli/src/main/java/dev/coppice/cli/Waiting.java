package dev.coppice.cli;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

/** Waits for a run's end and prints what came of it. */
final class Waiting {
    private Waiting() {}

    static Exit untilOver(Connection connection, String runId, Args args, Console console) {
        // The coordinator waits; only its own restart makes us ask again.
        while (true) {
            var run = connection.getPatiently("/runs/" + runId + "?wait=1d");
            if (run.hasNonNull("completed_at")) return told(run, args, console);
        }
    }

    private static Exit told(JsonNode run, Args args, Console console) {
        var state = Shown.text(run, "state");
        if (args.has(Option.JSON)) {
            console.out().println(Json.write(run));
            return Exit.ofRun(state);
        }
        var text = Json.text(run, "result_text");
        if (text != null)
            console.out().print(text.endsWith("\n") || text.isEmpty() ? text : text + "\n");
        var error = Json.text(run, "error");
        if (error != null) {
            console.err()
                    .println(
                            "coppice: the run %s: %s"
                                    .formatted(state.replace('_', ' '), Shown.harmless(error)));
        }
        return Exit.ofRun(state);
    }
}
