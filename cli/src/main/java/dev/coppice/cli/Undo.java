package dev.coppice.cli;

import dev.coppice.kernel.Counted;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Brings back what was removed. */
final class Undo implements Command {
    private static final String NAME = "session_name";

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
        var request = Json.object();
        if (args.has("rename")) request.put("rename", "true");
        var undone = connection.post("/removals/" + Connection.part(id) + "/undo?wait=1h", request);
        if (args.has(Option.JSON)) {
            console.out().println(undone);
            return Exit.OK;
        }
        console.out().println(back(undone, args, connection));
        for (var left : undone.get("not_reattached")) {
            console.out().println("  stays where it is: " + Shown.harmless(left.asString()));
        }
        return Exit.OK;
    }

    /** Who was given another name is found by that alone. */
    static String back(JsonNode removal, Args args, Connection connection) {
        var said = Shown.text(removal, NAME) + " is back";
        if (args.has("rename")) {
            // Its id may be what another one is called.
            var path = "/sessions/" + Connection.part(Shown.text(removal, "session_id"));
            var name = Shown.text(connection.get(path).get("session"), NAME);
            if (!name.equals(Shown.text(removal, NAME))) said += " as " + name;
        }
        return said + ", with " + Counted.sessions(removal.get("taken").get("sessions").asLong());
    }

    private static String id(Connection connection, String said) {
        return connection.removal(said, r -> Shown.text(r, "state").equals("hidden"));
    }
}
