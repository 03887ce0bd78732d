package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.run.StartRunRequest;

import java.util.List;

/** Resumes a session. */
public final class ResumeCommand implements Command {
    @Override
    public String name() {
        return "resume";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Resume a session that has ended or is idle",
                List.of("NAME"),
                RunOrder.OPTIONS,
                "A busy session cannot be resumed; stop it first, or wait.\n");
    }

    @Override
    public Exit run(Args args, Console console) {
        var mode = RunOrder.mode(args);
        var connection = Connection.open(args, console);
        var session = connection.id(args.word(0));
        var request = StartRunRequest.resume(session, RunOrder.prompt(args, console)).as(mode);
        return RunOrder.placed(connection, request, false, args, console);
    }
}
