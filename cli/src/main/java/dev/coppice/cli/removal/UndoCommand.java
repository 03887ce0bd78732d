package dev.coppice.cli.removal;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Usage;
import dev.coppice.kernel.Counted;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.wire.session.SessionCalls;

import java.util.List;

/** Undoes a removal. */
public final class UndoCommand implements Command {
    @Override
    public String name() {
        return "undo";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Undo a removal",
                List.of("REMOVAL"),
                List.of(Option.flag("rename", "rename sessions whose names are taken")),
                """
                REMOVAL is the id of a removal, or the name of a removed session, which selects
                its latest removal that can be undone. Everything is restored as it was;
                sessions that were running are stopped, and can be resumed.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var id = id(connection, args.word(0));
        var undo = new RemovalCalls.Undo(id, args.has("rename"), Connection.PATIENCE);
        var undone = connection.ask(RemovalCalls.UNDO, undo);
        if (args.has(Option.JSON)) {
            console.out().println(undone.text());
            return Exit.OK;
        }
        console.out().println(back(undone.value().removal(), args, connection));
        for (var left : undone.value().notReattached()) {
            console.out().println("  not attached to its old parent: " + Shown.clean(left));
        }
        return Exit.OK;
    }

    /** The message after an undo or restore, with the new name of a renamed session. */
    static String back(RemovalView removal, Args args, Connection connection) {
        var name = Shown.clean(removal.sessionName());
        var message = "restored " + name;
        if (args.has("rename")) {
            // Read by id: another session may have the old name.
            var session =
                    connection.call(SessionCalls.READ, new SessionCalls.At(removal.sessionId()));
            var now = Shown.clean(session.session().sessionName());
            if (!now.equals(name)) message += " as " + now;
        }
        return message + ", with " + Counted.sessions(removal.taken().sessions());
    }

    private static String id(Connection connection, String nameOrId) {
        return connection.removal(nameOrId, r -> r.state().equals("hidden"));
    }
}
