package dev.coppice.runner.drive.dialect;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/**
 * The order that a driver reads from its standard input. {@code program} is the command line of the
 * agent program without the words that the driver adds; {@code options} are those of the blueprint.
 */
public record Order(
        String kind,
        String runId,
        List<String> program,
        JsonNode options,
        String prompt,
        boolean resumes,
        @Nullable String mcpConfig,
        JsonNode lastTurn) {
    /** The fields of a blueprint that dialects read; others may hold secrets. */
    private static final List<String> OPTIONS =
            List.of(
                    "model",
                    "permission_mode",
                    "allowed_tools",
                    "disallowed_tools",
                    "sandbox",
                    "protocol",
                    "report_reserve",
                    "system_prompt");

    public Order {
        program = List.copyOf(program);
    }

    /** The options of a blueprint. */
    public static JsonNode optionsOf(JsonNode blueprint) {
        var options = Json.object();
        for (var name : OPTIONS) {
            if (blueprint.hasNonNull(name)) options.set(name, blueprint.get(name));
        }
        return options;
    }

    /** The order with the file of the agent's MCP servers. */
    public Order with(@Nullable String servers) {
        return new Order(kind, runId, program, options, prompt, resumes, servers, lastTurn);
    }

    /** Returns the order with the event of the conversation's last turn. */
    public Order after(JsonNode turn) {
        return new Order(kind, runId, program, options, prompt, resumes, mcpConfig, turn);
    }

    /** A text option of the blueprint; null if it has none. */
    public @Nullable String option(String name) {
        var value = options.get(name);
        return value == null || !value.isString() ? null : value.asString();
    }

    /** A list option of the blueprint. */
    List<String> options(String name) {
        var all = new ArrayList<String>();
        for (var value : options.path(name)) all.add(value.asString());
        return all;
    }
}
