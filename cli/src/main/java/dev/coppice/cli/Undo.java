package dev.coppice.cli;

import dev.coppice.wire.Json;

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
        var request = Json.object();
        if (args.has("rename")) request.put("rename", "true");
        var undone = connection.post("/removals/" + Connection.part(id) + "/undo?wait=1h", request);
        if (args.has(Option.JSON)) {
            console.out().println(undone);
            return Exit.OK;
        }
        console.out()
                .println(
                        "%s is back, with %s sessions"
                                .formatted(
                                        Shown.text(undone, "session_name"),
                                        Shown.text(undone.get("taken"), "sessions")));
        for (var left : undone.get("not_reattached")) {
            console.out().println("  stays where it is: " + Shown.harmless(left.asString()));
        }
        return Exit.OK;
    }

    private static String id(Connection connection, String said) {
        return connection.removal(said, r -> Shown.text(r, "state").equals("hidden"));
    }
}
