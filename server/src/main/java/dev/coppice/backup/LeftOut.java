package dev.coppice.backup;

import dev.coppice.removal.TreeRows;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a blueprint puts into the environment may be a secret that somebody wrote down in it. A file
 * that is carried about has the names, and of the values only those that are placeholders: what
 * they stand for is asked of the coordinator's environment, by its list of allowed names.
 */
final class LeftOut {
    private static final String SAID = "(left out)";

    private LeftOut() {}

    /** A run's row without them. Who resumes it later is given the blueprint that is there then. */
    static Map<String, @Nullable Object> of(TreeRows.Row run) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>(run.fields());
        if (fields.get("definition") instanceof String definition) {
            fields.put("definition", of(definition));
        }
        return fields;
    }

    private static String of(String definition) {
        if (!(Json.read(definition) instanceof ObjectNode read)
                || !(read.get("env") instanceof ObjectNode env)) {
            return definition;
        }
        for (var variable : env.properties()) {
            boolean isPlaceholder = variable.getValue().asString("").matches("\\$\\{[^}]+}");
            if (!isPlaceholder) env.put(variable.getKey(), SAID);
        }
        return Json.write(read);
    }
}
