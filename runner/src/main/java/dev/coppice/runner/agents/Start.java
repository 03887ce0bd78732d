package dev.coppice.runner.agents;

import dev.coppice.runner.process.StopSignal;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * The parameters for starting an agent: its command line, environment and input, and its own stop
 * signal if it has one.
 */
public record Start(
        List<String> command,
        Map<String, String> environment,
        String input,
        @Nullable StopSignal polite) {
    public Start {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }
}
