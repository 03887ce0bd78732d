package dev.coppice.cli;

import dev.coppice.wire.run.ExecutionMode;
import dev.coppice.wire.run.RunCalls;
import dev.coppice.wire.run.StartRunRequest;
import dev.coppice.wire.run.StartedView;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

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

    private Order() {}

    static ExecutionMode mode(Args args) {
        return args.choice("mode", ExecutionMode.SYNC);
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

    static Exit placed(Connection connection, StartRunRequest request, Args args, Console console) {
        var started = connection.ask(RunCalls.START, request);
        if (request.executionMode() == ExecutionMode.SYNC) {
            return Waiting.untilOver(connection, started.value().runId(), args, console);
        }
        var view = (StartedView) started.value();
        console.out().println(args.has(Option.JSON) ? started.body().toString() : view.sessionId());
        return Exit.OK;
    }
}
