package dev.coppice.cli.engine;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a command prints a list: as a table, or in a form for programs. */
public sealed interface Format {
    List<Option> OPTIONS =
            List.of(
                    Option.of(
                                    "output",
                                    "FORMAT",
                                    "wide, json, yaml, name, or a template: '{name} {state}'")
                            .as("o"),
                    Option.flag("quiet", "print only the names").as("q"));

    /** A table for people. */
    record Rows(boolean isWide) implements Format {}

    /** The whole answer, in a form for programs. */
    record Whole(boolean isYaml) implements Format {
        public String of(JsonNode answer) {
            return isYaml ? Yaml.of(answer) : answer + "\n";
        }
    }

    /** Each item by a text with the names of fields in braces. */
    record Filled(String text) implements Format {
        public String of(JsonNode item) {
            return filled(text, item);
        }
    }

    Pattern FIELD = Pattern.compile("\\{([a-z_]+(?:\\.[a-z_]+)*)}");

    /** Reads what the command line asks for. */
    static Format of(Args args, String nameField) {
        var asked = args.value("output");
        if (args.has("quiet")) return new Filled("{" + nameField + "}");
        if (args.has(Option.JSON)) return new Whole(false);
        return switch (asked) {
            case null -> new Rows(false);
            case "wide" -> new Rows(true);
            case "json" -> new Whole(false);
            case "yaml" -> new Whole(true);
            case "name" -> new Filled("{" + nameField + "}");
            case String text when FIELD.matcher(text).find() ->
                    new Filled(text.replace("\\n", "\n").replace("\\t", "\t"));
            case String other ->
                    throw Args.Invalid.near(
                            ("--output is '%s'; it must be wide, json, yaml, name, or a template"
                                            + " such as '{%s}'")
                                    .formatted(other, nameField),
                            other,
                            List.of("wide", "json", "yaml", "name"));
        };
    }

    private static String filled(String pattern, JsonNode item) {
        return FIELD.matcher(pattern)
                .replaceAll(found -> {
                    JsonNode value = item;
                    for (var name : found.group(1).split("\\.", -1)) {
                        if (value.isObject() && !value.has(name)) throw unknown(name, value);
                        value = value.path(name);
                    }
                    var text = value.isNull() || value.isMissingNode() ? "" : Shown.value(value);
                    return Matcher.quoteReplacement(text);
                });
    }

    private static Args.Invalid unknown(String name, JsonNode object) {
        var known = new ArrayList<>(object.propertyNames());
        return Args.Invalid.near(
                "there is no field '%s'; the fields are %s"
                        .formatted(name, String.join(", ", known)),
                name,
                known);
    }
}
