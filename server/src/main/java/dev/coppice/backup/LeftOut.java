package dev.coppice.backup;

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
 * What a blueprint puts into the environment may be a secret that somebody wrote down in it, or put
 * into the scope of a run. A file that is carried about has the names, and of the values only those
 * that are placeholders: what they stand for is asked of the coordinator's environment, by its list
 * of allowed names, or of whoever resumes the session.
 */
final class LeftOut {
    private static final String SAID = "(left out)";
    private static final Set<String> SECRET = Set.of("env", "headers");
    private static final Set<String> SCHEMAS = Set.of("parameters_schema", "output_schema");

    private LeftOut() {}

    /** A run's row without them. Who resumes it later is given the blueprint that is there then. */
    static Map<String, @Nullable Object> of(TreeRows.Row run) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>(run.fields());
        if (fields.get("definition") instanceof String definition) {
            var read = Json.read(definition);
            leaveOut(read);
            fields.put("definition", Json.write(read));
        }
        // Placeholders in an environment stand for them. Who resumes it without is refused.
        if (fields.get("scope") != null) fields.put("scope", "{}");
        return fields;
    }

    /** However deep it stands: programs that an agent starts are given some of their own. */
    private static void leaveOut(JsonNode of) {
        if (of instanceof ObjectNode object) {
            for (var name : List.copyOf(object.propertyNames())) {
                if (SECRET.contains(name)) object.set(name, without(object.get(name)));
                else if (!SCHEMAS.contains(name)) leaveOut(object.get(name));
            }
        } else if (of.isArray()) {
            of.values().forEach(LeftOut::leaveOut);
        }
    }

    /** Names and placeholders stay, whichever way somebody has written the rest. */
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
