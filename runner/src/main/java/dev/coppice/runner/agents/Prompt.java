package dev.coppice.runner.agents;

import tools.jackson.databind.JsonNode;

/** A run's parameters as the text an agent reads. */
final class Prompt {
    private Prompt() {}

    /** Returns a lone prompt unchanged, and more parameters as a list of inputs. */
    static String of(JsonNode parameters) {
        var prompt = parameters.get("prompt");
        if (parameters.size() == 1 && prompt != null && prompt.isString()) return prompt.asString();
        if (parameters.isEmpty()) return "";
        var text = new StringBuilder("<inputs>\n");
        parameters
                .properties()
                .forEach(field ->
                        text.append(field.getKey())
                                .append(": ")
                                .append(value(field.getValue()))
                                .append('\n'));
        return text.append("</inputs>").toString();
    }

    private static String value(JsonNode value) {
        if (!value.isString()) return value.toString();
        var text = value.asString();
        return text.contains("\n") ? "\n" + text.indent(2).stripTrailing() : text;
    }
}
