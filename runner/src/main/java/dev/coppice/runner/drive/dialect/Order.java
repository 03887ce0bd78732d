package dev.coppice.runner.drive.dialect;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/**
 * The order that a driver reads from its standard input. {@code program} is the command line of the
 * agent program without the words that the driver adds; {@code blueprint} has the options.
 */
public record Order(
        String kind,
        String runId,
        List<String> program,
        JsonNode blueprint,
        String prompt,
        boolean resumes,
        @Nullable String mcpConfig) {
    public Order {
        program = List.copyOf(program);
    }

    /** The order with the file of the agent's MCP servers. */
    public Order with(@Nullable String servers) {
        return new Order(kind, runId, program, blueprint, prompt, resumes, servers);
    }

    /** A text option of the blueprint; null if it has none. */
    public @Nullable String option(String name) {
        var value = blueprint.get(name);
        return value == null || !value.isString() ? null : value.asString();
    }

    /** A list option of the blueprint. */
    List<String> options(String name) {
        var all = new ArrayList<String>();
        for (var value : blueprint.path(name)) all.add(value.asString());
        return all;
    }
}
