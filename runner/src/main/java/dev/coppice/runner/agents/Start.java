package dev.coppice.runner.agents;

import dev.coppice.runner.process.StopSignal;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * What starting an agent takes: its command line, what it finds in its environment, its input; and
 * how it is asked to end, where it can be, and the programs it always keeps beside itself.
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
