package dev.coppice.backup;

import dev.coppice.blueprints.Concealed;
import dev.coppice.removal.TreeRows;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Leaves secrets out of backups. The environment in a blueprint and the scope of a run may contain
 * some, as may the arguments and addresses of tool servers, and a backup may be copied anywhere. So
 * it has the names, and only those values that are placeholders. Their values come from the
 * coordinator's environment, by its list of allowed names, or from the caller that resumes the
 * session.
 */
final class Redaction {
    private static final String SAID = "(left out)";
    private static final String SERVERS = "mcp_servers";
    private static final Set<String> SECRET = Set.of("env", "headers");
    private static final Set<String> SCHEMAS = Set.of("parameters_schema", "output_schema");

    private Redaction() {}

    /** Returns the row without secrets. A later resume uses the blueprint as it is then. */
    static Map<String, @Nullable Object> of(TreeRows.Row run) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>(run.fields());
        if (fields.get("definition") instanceof String definition) {
            var read = Json.read(definition);
            leaveOut(read);
            fields.put("definition", Json.write(read));
        }
        // The environment's placeholders need the scope: a resume without it is refused.
        if (fields.get("scope") != null) fields.put("scope", "{}");
        return fields;
    }

    /** Returns the planned start without secrets, and without the values of its scope. */
    static Map<String, @Nullable Object> ofPlan(TreeRows.Row plan) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>(plan.fields());
        var run = Json.read(String.valueOf(fields.get("run")));
        if (run instanceof ObjectNode start && start.has("scope")) start.putObject("scope");
        leaveOut(run);
        fields.put("run", Json.write(run));
        return fields;
    }

    /** Searches all levels: a definition may have an environment for each server it starts. */
    private static void leaveOut(JsonNode of) {
        if (of instanceof ObjectNode object) {
            for (var name : List.copyOf(object.propertyNames())) {
                if (name.equals(SERVERS)) Concealed.servers(object.get(name), SAID);
                if (SECRET.contains(name)) object.set(name, without(object.get(name)));
                else if (!SCHEMAS.contains(name)) leaveOut(object.get(name));
            }
        } else if (of.isArray()) {
            of.values().forEach(Redaction::leaveOut);
        }
    }

    /** Keeps names and placeholders, and replaces all other values, in any notation. */
    private static JsonNode without(JsonNode values) {
        if (values instanceof ObjectNode object) {
            for (var name : List.copyOf(object.propertyNames())) {
                object.set(name, without(object.get(name)));
            }
            return object;
        }
        if (values instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                var one = list.get(i);
                var name = one.get("name");
                var left = without(one);
                if (name != null && left instanceof ObjectNode object) object.set("name", name);
                list.set(i, left);
            }
            return list;
        }
        boolean isPlaceholder = values.asString("").matches("\\$\\{[^}]+}");
        return isPlaceholder ? values : StringNode.valueOf(SAID);
    }
}
