package dev.coppice.runner.agents;

import java.util.List;
import java.util.Map;

/** What starting an agent takes: its command line, what it finds in its environment, its input. */
public record Start(List<String> command, Map<String, String> environment, String input) {
    public Start {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }
}
