package dev.coppice.mcp;

import dev.coppice.kernel.Counted;
import dev.coppice.web.Method;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.HashMap;
import java.util.List;

/**
 * The seed's tool: takes a session away with all below it, in the original's words for what to do
 * with whom. Looking at what that would take is the same request as a dry run.
 */
enum Deletion implements Tool {
    PLAN {
        @Override
        public ObjectNode shown() {
            return Tool.shown(
                            "get_delete_plan",
                            "Look at a deletion before it is done",
                            "What delete_session would take with these arguments: sessions, runs,"
                                + " unsaved work, and what speaks against it. Changes nothing. Its"
                                + " 'digest' goes into 'confirm' of delete_session.")
                    .set("annotations", Json.object().put("readOnlyHint", true));
        }

        @Override
        public Answer answer(JsonNode body) {
            var said =
                    body.path("allowed").asBoolean()
                            ? "Nothing speaks against it."
                            : "It would be refused: " + body.path("refusals");
            return new Answer(
                    true,
                    "Deleting %s would take %s. %s"
                            .formatted(
                                    Json.text(body, "session_name"),
                                    Counted.sessions(body.path("sessions").asLong()),
                                    said),
                    body);
        }
    },
    DELETE {
        @Override
        public ObjectNode shown() {
            var shown =
                    Tool.shown(
                            "delete_session",
                            "Delete a session and everything below it",
                            "Takes a session away, and its agents, every session below it, with it"
                                + " (unless cleanup_agents is false). Refused while something runs"
                                + " or is critical, unless forced. Unsaved work is kept and proved"
                                + " first, a backup is written, and for some days undo_deletion"
                                + " brings all of it back.");
            shown.set(
                    "annotations",
                    Json.object().put("destructiveHint", true).put("idempotentHint", true));
            return shown.set("outputSchema", Deleted.SCHEMA.deepCopy());
        }

        @Override
        public Answer answer(JsonNode body) {
            return Deleted.of(body);
        }

        @Override
        public @Nullable Answer refused(JsonNode problem) {
            return Deleted.already(problem);
        }

        @Override
        public List<Step> steps(Arguments arguments) {
            return Deleted.steps(arguments);
        }

        @Override
        public List<Step> passed(JsonNode body) {
            return Deleted.agents(body);
        }
    };

    /** Clients give up after a minute; this answers before that. */
    private static final String PATIENCE = "45s";

    private static final Arguments.Schema TAKES =
            new Arguments.Schema()
                    .text("session_id", "the session; or name it with session_name")
                    .text("session_name", "the session by its name")
                    .flag("cleanup_agents", true, "false lets the sessions below stay, as roots")
                    .flag("preserve_work", true, "false throws unsaved work away; needs confirm")
                    .flag("create_backup", true, "false writes no backup file")
                    .flag(
                            "force",
                            false,
                            "true stops what runs and overrides critical operations; needs a"
                                    + " reason; never throws work away")
                    .text("reason", "why; kept in the audit")
                    .text("confirm", "the digest of the plan that was looked at")
                    .text("deadline", "how long stopping may take, as 60s");

    @Override
    public Arguments.Schema takes() {
        return TAKES;
    }

    @Override
    public Asked asks(Arguments arguments) {
        var path = "/sessions/" + Tool.segment(arguments.need("session_id"));
        var queries = new HashMap<>(arguments.values());
        queries.remove("session_id");
        queries.remove("session_name");
        if (this == PLAN) return new Asked(Method.GET, path + "/removal-plan", queries);
        queries.put("wait", PATIENCE);
        return new Asked(Method.DELETE, path, queries);
    }
}
