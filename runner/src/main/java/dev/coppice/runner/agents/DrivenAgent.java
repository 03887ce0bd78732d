package dev.coppice.runner.agents;

import dev.coppice.runner.drive.Drive;
import dev.coppice.runner.drive.dialect.Order;
import dev.coppice.runner.process.StopSignal;
import dev.coppice.wire.Json;
import dev.coppice.wire.fleet.ClaimedRun;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** Starts the driver of a program that speaks a protocol; the driver starts the program. */
public final class DrivenAgent implements Agent {
    private final String kind;
    private final List<String> program;

    /** {@code program} is the default command line; empty if each blueprint must name one. */
    public DrivenAgent(String kind, List<String> program) {
        this.kind = kind;
        this.program = List.copyOf(program);
    }

    @Override
    public Start start(ClaimedRun run) {
        var blueprint = run.resolvedAgentBlueprint();
        var command = new ArrayList<String>();
        for (var word : blueprint.path("command")) command.add(word.asString());
        var environment = new LinkedHashMap<>(AgentInput.environment(run));
        // A placeholder for the file of MCP servers. Without servers, the file names Coppice.
        var servers = ClaimedRun.marked(McpServers.CONFIG, run.runId());
        environment.put(Drive.MCP_CONFIG, servers);
        var order =
                new Order(
                        kind,
                        run.runId(),
                        command.isEmpty() ? program : command,
                        Order.optionsOf(blueprint),
                        AgentInput.input(run),
                        run.type().equals("resume_session"),
                        null,
                        Json.object());
        return new Start(
                JavaProgram.command(Drive.class, 192),
                environment,
                Json.write(order),
                StopSignal.TERM);
    }
}
