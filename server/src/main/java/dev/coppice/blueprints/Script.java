package dev.coppice.blueprints;

import dev.coppice.kernel.Demands;
import dev.coppice.registry.Fault;
import dev.coppice.registry.Layout;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A program that procedural blueprints run and that capabilities offer to agents. */
public record Script(String name, JsonNode document) implements RegistryEntry {
    private static final List<String> FIELDS =
            List.of(
                    "name",
                    "description",
                    "script_file",
                    "script_content",
                    "parameters_schema",
                    "demands",
                    "created_at",
                    "modified_at");

    public static Script read(JsonNode document) {
        var name = RegistryEntry.name(document, "name");
        RegistryEntry.checkFields(document, FIELDS);
        RegistryEntry.required(document, "description");
        var file = RegistryEntry.required(document, "script_file");
        if (!Layout.SCRIPTS.isFileName(file))
            throw new Fault("script_file", file, Layout.FILE_RULE);
        RegistryEntry.required(document, "script_content");
        RegistryEntry.object(document, "parameters_schema");
        BlueprintText.demands(document.get("demands"));
        return new Script(name, document);
    }

    public String file() {
        return RegistryEntry.required(document, "script_file");
    }

    public String content() {
        return RegistryEntry.required(document, "script_content");
    }

    public @Nullable JsonNode parameters() {
        return RegistryEntry.object(document, "parameters_schema");
    }

    public Demands demands() {
        return BlueprintText.demands(document.get("demands"));
    }

    @Override
    public JsonNode summary() {
        var summary = (ObjectNode) document.deepCopy();
        summary.remove(List.of("script_content", "parameters_schema", "demands"));
        summary.put("has_parameters_schema", parameters() != null);
        summary.put("has_demands", document.hasNonNull("demands"));
        var tags = summary.putArray("demand_tags");
        demands().tags().stream().sorted().forEach(tags::add);
        return summary;
    }

    /** The command before the file of the script; empty if the script names its interpreter. */
    List<String> interpreter() {
        return content().startsWith("#!") ? List.of() : List.of("uv", "run", "--script");
    }

    /** The instructions for calling the script, as a part of an agent's system prompt. */
    String usage(String directory) {
        var schema = document.path("parameters_schema");
        var properties = schema.path("properties");
        var needed = Json.write(schema.path("required"));
        var file = "%s/%s/%s".formatted(directory, name, file());
        var words = Stream.concat(interpreter().stream(), Stream.of(file));
        var call = new StringBuilder(words.collect(Collectors.joining(" ")));
        var arguments = new StringBuilder();
        for (var each : properties.properties()) {
            boolean isNeeded = needed.contains(Json.write(each.getKey()));
            var argument = ("--" + each.getKey() + " " + placeholder(each)).strip();
            call.append(isNeeded ? " " + argument : " [" + argument + "]");
            arguments.append(said(each.getKey(), each.getValue(), isNeeded));
        }
        var text =
                "## Local Script: %s\n**Description:** %s\n\n**Usage:**\n```bash\n%s\n```"
                        .formatted(name, document.path("description").asString(), call);
        return arguments.isEmpty() ? text : text + "\n\n**Arguments:**" + arguments;
    }

    private static String placeholder(java.util.Map.Entry<String, JsonNode> argument) {
        var rule = argument.getValue();
        if (rule.path("enum").isArray()) return "<" + joined(rule.path("enum"), "|") + ">";
        return switch (rule.path("type").asString("")) {
            case "boolean" -> "";
            case "integer", "number" -> "<N>";
            case "array" -> "<value1,value2,...>";
            default -> "<" + argument.getKey() + ">";
        };
    }

    private static String said(String name, JsonNode rule, boolean isNeeded) {
        var line =
                new StringBuilder(
                        "\n- `--%s` (%s)".formatted(name, isNeeded ? "required" : "optional"));
        var type = rule.path("type").asString("string");
        if (rule.path("enum").isArray()) {
            line.append(" One of: ").append(joined(rule.path("enum"), ", "));
        } else if (!type.equals("string")) {
            line.append(" (").append(type).append(')');
        }
        if (rule.has("default"))
            line.append(" [default: ").append(shown(rule.get("default"))).append(']');
        if (rule.path("description").isString()) {
            line.append(" - ").append(rule.get("description").asString());
        }
        return line.toString();
    }

    private static String joined(JsonNode values, String between) {
        return String.join(between, values.valueStream().map(Script::shown).toList());
    }

    private static String shown(JsonNode value) {
        return value.isString() ? value.asString() : value.toString();
    }
}
