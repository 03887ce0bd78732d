package dev.coppice.blueprints;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import dev.coppice.agent.Schemas;
import dev.coppice.kernel.BlueprintRefusal.Violation;
import dev.coppice.kernel.JsonText;
import dev.coppice.wire.Json;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Schemas through the networknt library; Draft 7 unless a schema says otherwise. */
public final class JsonSchemas implements Schemas {
    private static final int KEPT_MAX = 256;
    private final SchemaRegistry registry =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7);

    /** Compiled schemas, the least recently used forgotten first. */
    private final Map<JsonText, Schema> compiled =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<JsonText, Schema> eldest) {
                    return size() > KEPT_MAX;
                }
            };

    @Override
    public List<Violation> violations(JsonText schema, JsonText value) {
        return compiled(schema).validate(value.value(), InputFormat.JSON).stream()
                .map(error ->
                        new Violation(
                                path(String.valueOf(error.getInstanceLocation())),
                                error.getMessage(),
                                String.valueOf(error.getEvaluationPath())))
                .toList();
    }

    @Override
    public List<String> faults(JsonText schema) {
        var node = Json.read(schema.value());
        var meta = registry.getSchema(com.networknt.schema.SchemaLocation.of(metaSchema(node)));
        try {
            var faults = meta.validate(node).stream().map(String::valueOf).toList();
            if (faults.isEmpty()) compiled(schema);
            return faults;
        } catch (SchemaException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }

    private static String metaSchema(tools.jackson.databind.JsonNode node) {
        var said = Json.text(node, "$schema");
        return said == null ? SpecificationVersion.DRAFT_7.getDialectId() : said;
    }

    private synchronized Schema compiled(JsonText schema) {
        return compiled.computeIfAbsent(
                schema, text -> registry.getSchema(text.value(), InputFormat.JSON));
    }

    /** The original wrote paths from a dollar sign. */
    private static String path(String pointer) {
        return pointer.startsWith("$") ? pointer : "$" + pointer.replace('/', '.');
    }
}
