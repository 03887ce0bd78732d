package dev.coppice.cli;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Usage;
import dev.coppice.client.Messenger;
import dev.coppice.thread.Threads;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executors;

/** Speaks the Model Context Protocol on standard input and output. */
final class McpCommand implements Command {
    @Override
    public String name() {
        return "mcp";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Serve the Model Context Protocol on standard input and output",
                List.of(),
                List.of(),
                """
                For programs that start their tools themselves, such as Claude Desktop; other
                programs use /mcp of the coordinator. The tools start, watch, stop and delete
                sessions, and undo a deletion. See docs/mcp.md.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        try (var client = new Messenger(Connection.open(args, console).client())) {
            bridge(new McpBridge(client, console.out()), console);
        }
        return Exit.OK;
    }

    private static void bridge(McpBridge bridge, Console console) {
        var lines = new BufferedReader(new InputStreamReader(console.in(), StandardCharsets.UTF_8));
        // A slow message delays no other; closing the executor waits for all answers.
        var passing = Threads.virtual("mcp-message").factory();
        try (var threads = Executors.newThreadPerTaskExecutor(passing)) {
            var line = lines.readLine();
            while (line != null) {
                var message = line;
                // The first message may begin a session, which all others belong to.
                if (bridge.mustGoFirst(message)) bridge.pass(message);
                else if (!line.isBlank()) threads.execute(() -> bridge.pass(message));
                line = lines.readLine();
            }
            bridge.noMore();
        } catch (IOException e) {
            throw new UncheckedIOException("reading standard input", e);
        }
        bridge.end();
    }
}
