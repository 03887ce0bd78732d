package dev.coppice.cli;

import dev.coppice.kernel.Counted;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.wire.session.SessionCalls;

import java.util.List;

/** Brings back what was removed. */
final class Undo implements Command {
    @Override
    public String name() {
        return "undo";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Bring back what a removal took",
                List.of("REMOVAL"),
                List.of(Option.flag("rename", "give other names to those whose names were taken")),
                """
                REMOVAL is its id, or the name of the session that was removed: the latest
                removal of that name which can be undone. Everything comes back as it was;
                what ran comes back stopped, and can be resumed.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var id = id(connection, args.word(0));
        var undo = new RemovalCalls.Undo(id, args.has("rename"), Remove.PATIENCE);
        var undone = connection.ask(RemovalCalls.UNDO, undo);
        if (args.has(Option.JSON)) {
            console.out().println(undone.body());
            return Exit.OK;
        }
        console.out().println(back(undone.value().removal(), args, connection));
        for (var left : undone.value().notReattached()) {
            console.out().println("  stays where it is: " + Shown.harmless(left));
        }
        return Exit.OK;
    }

    /** A session that was given another name is found by that name alone. */
    static String back(RemovalView removal, Args args, Connection connection) {
        var name = Shown.harmless(removal.sessionName());
        var said = name + " is back";
        if (args.has("rename")) {
            // By its id: its old name may be that of another session.
            var session =
                    connection.call(SessionCalls.READ, new SessionCalls.At(removal.sessionId()));
            var now = Shown.harmless(session.session().sessionName());
            if (!now.equals(name)) said += " as " + now;
        }
        return said + ", with " + Counted.sessions(removal.taken().sessions());
    }

    private static String id(Connection connection, String said) {
        return connection.removal(said, r -> r.state().equals("hidden"));
    }
}
