package dev.coppice.cli;

import dev.coppice.wire.Json;

import java.util.List;

/** Goes on with a session. */
final class Resume implements Command {
    @Override
    public String name() {
        return "resume";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Go on with a session that has ended or is idle",
                List.of("NAME"),
                Order.OPTIONS,
                "A session that is busy is not resumed; stop it first, or wait.\n");
    }

    @Override
    public Exit run(Args args, Console console) {
        var mode = Order.mode(args);
        var connection = Connection.open(args, console);
        var request =
                Json.object()
                        .put("type", "resume_session")
                        .put("session_id", connection.id(args.word(0)))
                        .put("execution_mode", mode)
                        .put("prompt", Order.prompt(args, console));
        return Order.placed(connection, request, args, console);
    }
}
