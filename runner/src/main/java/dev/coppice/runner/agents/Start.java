package dev.coppice.runner.agents;

import dev.coppice.runner.process.StopSignal;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * The parameters for starting an agent: its command line, environment and input, its own stop
 * signal if it has one, and the programs that it always keeps running.
 */
public record Start(
        List<String> command,
        Map<String, String> environment,
        String input,
        @Nullable StopSignal polite,
        List<String> helpers) {
    public Start {
        helpers = List.copyOf(helpers);
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }
}
