package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.session.SessionCalls;

import java.util.List;

/** Prints the result of a session's last run. */
public final class ResultCommand implements Command {
    @Override
    public String name() {
        return "result";
    }

    @Override
    public Usage usage() {
        return Usage.of("Print the result of the last run", List.of("NAME"), List.of(), "");
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var session = new SessionCalls.At(connection.id(args.word(0)));
        var result = connection.ask(SessionCalls.RESULT, session);
        var text = result.value().resultText();
        if (args.has(Option.JSON)) {
            console.out().println(result.text());
        } else if (text != null) {
            console.out().print(text.endsWith("\n") || text.isEmpty() ? text : text + "\n");
        } else {
            console.out().println(result.value().resultData());
        }
        return Exit.OK;
    }
}
