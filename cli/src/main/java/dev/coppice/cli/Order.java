package dev.coppice.cli;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** What start and resume have in common: a prompt, a mode, and what happens after the answer. */
final class Order {
    static final List<Option> OPTIONS =
            List.of(
                    Option.of(
                                    "prompt",
                                    "TEXT",
                                    "what to do; without it, or with '-', read from standard input")
                            .as("p"),
                    Option.of(
                            "mode",
                            "MODE",
                            "sync (wait for the result), async_poll or async_callback"));
    private static final Set<String> MODES = Set.of("sync", "async_poll", "async_callback");

    private Order() {}

    static String mode(Args args) {
        var mode = args.value("mode", "sync");
        if (!MODES.contains(mode)) {
            throw new Args.Wrong(
                    "--mode is '%s'; it must be one of %s"
                            .formatted(mode, List.of("sync", "async_poll", "async_callback")));
        }
        return mode;
    }

    static String prompt(Args args, Console console) {
        var said = args.value("prompt");
        if (said != null && !said.equals("-")) return said;
        try {
            return new String(console.in().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("reading the prompt from standard input", e);
        }
    }

    static Exit placed(Connection connection, ObjectNode request, Args args, Console console) {
        var started = connection.post("/runs", request);
        if (mode(args).equals("sync")) {
            return Waiting.untilOver(connection, Shown.text(started, "run_id"), args, console);
        }
        console.out()
                .println(
                        args.has(Option.JSON)
                                ? started.toString()
                                : Shown.text(started, "session_id"));
        return Exit.OK;
    }
}
