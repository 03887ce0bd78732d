package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Usage;
import dev.coppice.client.Refused;
import dev.coppice.wire.Json;
import dev.coppice.wire.session.SessionCalls;

import java.util.List;

/** Prints the state of a session. */
public final class StatusCommand implements Command {
    @Override
    public String name() {
        return "status";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Print the state of a session",
                List.of("NAME"),
                List.of(),
                """
                Prints one word: the state, or not_existent, with exit code 5. The reason of the
                state goes to standard error. With --json, prints the whole session.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        try {
            var session = connection.session(args.word(0));
            console.out().println(args.has(Option.JSON) ? Json.write(session) : session.state());
            // Scripts compare the word, so the reason goes beside it.
            var why = session.state().equals("finished") ? "" : Shown.line(session.reason());
            if (!args.has(Option.JSON) && !why.isEmpty()) console.err().println(why);
        } catch (Refused e) {
            if (e.problem().status() != 404) throw e;
            var none = new SessionCalls.Status("not_existent");
            console.out().println(args.has(Option.JSON) ? Json.write(none) : none.status());
            return Exit.NOT_FOUND;
        }
        return Exit.OK;
    }
}
