package dev.coppice.mcp;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/** The seed's result, made of the answer to the original's DELETE. */
final class Deleted {
    private static final String NOT_STOPPED =
            "could not be stopped in time; its processes are ended when its runner is back";

    private static final List<String> STAYS =
            List.of("taking_back", "taken_back", "undoing", "undone");

    static final ObjectNode SCHEMA = schema();

    private Deleted() {}

    private static ObjectNode schema() {
        var schema = Json.object().put("type", "object");
        var properties = schema.putObject("properties");
        properties.putObject("success").put("type", "boolean");
        properties.putObject("already_deleted").put("type", "boolean");
        for (var text : List.of("session_id", "removal_id", "state")) {
            properties.putObject(text).put("type", "string");
        }
        for (var text : List.of("reason", "undo_until", "backup_path")) {
            properties.putObject(text).putArray("type").add("string").add("null");
        }
        properties.putObject("deletion_summary").put("type", "object");
        properties.putObject("agents_deleted").put("type", "integer");
        properties.putObject("work_preserved").put("type", "boolean");
        properties.putObject("recovery_info").put("type", "object");
        var required = schema.putArray("required");
        List.of("success", "session_id", "removal_id", "state").forEach(required::add);
        return schema;
    }

    static Tool.Answer of(JsonNode body) {
        boolean done = body.path("ok").asBoolean();
        boolean preserved = body.path("work_preserved").asBoolean();
        var backup = body.path("recovery_info").path("backup_available");
        long agents = done ? body.path("cascaded_children_count").asLong() : 0;
        var partial = partial(body);
        var value = Json.object().put("success", done);
        for (var same : List.of("session_id", "removal_id", "state", "reason", "undo_until")) {
            value.set(same, body.get(same));
        }
        value.putObject("deletion_summary")
                .put("agents_deleted", agents)
                .put("agents_failed", body.path("given_up_session_ids").size())
                .put("work_preserved", preserved)
                .put("backup_created", backup.asBoolean())
                .put("state_deleted", done)
                .put("partial_deletion", !partial.isEmpty());
        value.put("agents_deleted", agents).put("work_preserved", preserved);
        value.set("backup_path", body.get("backup_path"));
        var recovery = value.putObject("recovery_info");
        recovery.set("backup_available", backup);
        recovery.set("preservation_path", body.path("recovery_info").get("preservation_path"));
        recovery.set("partial_deletions", partial);
        return new Tool.Answer(done, said(body, done, agents), value);
    }

    private static String said(JsonNode body, boolean done, long agents) {
        var id = Json.text(body, "session_id");
        var removal = Json.text(body, "removal_id");
        var state = Json.text(body, "state");
        if (!done) {
            var why = Json.text(body, "reason");
            var because = why == null ? "" : ": " + why;
            return STAYS.contains(state)
                    ? "%s is not deleted%s. Removal %s was called off."
                            .formatted(id, because, removal)
                    : "%s is being deleted%s. It is %s as %s; call again to wait on."
                            .formatted(id, because, state, removal);
        }
        var until = Json.text(body, "undo_until");
        return "Session deletion complete: %s and %d below it.".formatted(id, agents)
                + " undo_deletion with removal_id %s puts all of it back".formatted(removal)
                + (until == null ? "." : " until " + until + ".");
    }

    /** Asking again for what was done is no mistake. */
    static Tool.@Nullable Answer already(JsonNode problem) {
        if (!"session_removed".equals(Json.text(problem, "code"))) return null;
        var removal = Json.text(problem.path("detail"), "removal_id");
        var value =
                Json.object()
                        .put("success", true)
                        .put("already_deleted", true)
                        .put("session_id", Json.text(problem.path("detail"), "session_id"))
                        .put("removal_id", removal)
                        .put("state", "removed");
        var said =
                "%s. undo_deletion with removal_id %s may still put it back."
                        .formatted(Json.text(problem, "error"), removal);
        return new Tool.Answer(true, said, value);
    }

    /** The seed's, without those that were not asked for. */
    static List<Tool.Step> steps(Arguments arguments) {
        var steps = new ArrayList<Tool.Step>();
        steps.add(new Tool.Step(15, "Analyzing session contents"));
        if (!"false".equals(arguments.text("preserve_work"))) {
            steps.add(new Tool.Step(25, "Preserving uncommitted work"));
        }
        if (!"false".equals(arguments.text("create_backup"))) {
            steps.add(new Tool.Step(35, "Creating session backup"));
        }
        if (!"false".equals(arguments.text("cleanup_agents"))) {
            steps.add(new Tool.Step(50, "Deleting session agents"));
            steps.add(new Tool.Step(80, "All session agents are deleted"));
        }
        steps.add(new Tool.Step(85, "Cleaning up session resources"));
        return steps;
    }

    /** Each agent by its name, those below first; the session itself is none. */
    static List<Tool.Step> agents(JsonNode body) {
        var names = body.path("removed_session_names").valueStream().map(JsonNode::asString);
        var agents = names.skip(1).toList().reversed();
        int all = agents.size();
        var steps = new ArrayList<Tool.Step>();
        for (int i = 1; i <= all; i++) {
            // The first of many is more than none.
            int percent = 50 + (30 * i + all - 1) / all;
            steps.add(new Tool.Step(percent, deleting(agents.get(i - 1), i, all)));
        }
        return steps;
    }

    static String deleting(String agent, int which, int all) {
        return "Deleting agent %s (%d/%d)".formatted(agent, which, all);
    }

    /** Who and what was gone on without; that is rare, and was asked for. */
    private static ArrayNode partial(JsonNode body) {
        var partial = Json.object().putArray("partial");
        var at = body.get("hidden_at");
        for (var id : body.path("given_up_session_ids")) {
            var one = Json.object().put("agent_id", id.asString()).put("error", NOT_STOPPED);
            one.set("timestamp", at);
            partial.add(one);
        }
        for (var notKept : body.path("recovery_info").path("partial_deletions")) {
            var one = Json.object().putNull("agent_id").put("error", Json.text(notKept, "why"));
            one.set("host", notKept.get("host"));
            one.set("directories", notKept.get("directories"));
            one.set("timestamp", at);
            partial.add(one);
        }
        return partial;
    }
}
