package dev.coppice.cli;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/** Shows what is owed to whom, and has dead callbacks delivered again. */
final class Callbacks implements Command {
    @Override
    public String name() {
        return "callbacks";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List callbacks, or have one delivered again",
                List.of("[redeliver]", "[ID]"),
                List.of(
                        Option.flag("dead", "only those that were given up"),
                        Option.of("state", "STATE", "only these, several with commas"),
                        Option.of("session", "NAME", "only those that wake this session"),
                        Option.of("limit", "N", "how many at most; 100 by default"),
                        Option.of("after", "CURSOR", "the next page")),
                """
                Owed waits for its session's run to end; held waits for someone to resume
                a session that was stopped; carried is with a run under way.

                  coppice callbacks --dead
                  coppice callbacks redeliver cb_0123456789ab
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var word = args.wordOrNull(0);
        if (word == null) return list(connection, args, console);
        var id = args.wordOrNull(1);
        if (!word.equals("redeliver")) {
            throw new Args.Wrong("nothing is known to be done with '%s'".formatted(word));
        }
        if (id == null) throw new Args.Wrong("ID is missing");
        var again =
                connection.post("/callbacks/" + Connection.part(id) + "/redeliver", Json.object());
        console.out()
                .println(
                        args.has(Option.JSON)
                                ? again.toString()
                                : "%s is %s".formatted(id, Shown.text(again, "state")));
        return Exit.OK;
    }

    private static Exit list(Connection connection, Args args, Console console) {
        var query = new StringBuilder("/callbacks?limit=" + args.value("limit", "100"));
        var state = args.has("dead") ? "dead" : args.value("state");
        if (state != null) query.append("&state=").append(Connection.part(state));
        var session = args.value("session");
        if (session != null)
            query.append("&session_id=").append(Connection.part(connection.id(session)));
        var after = args.value("after");
        if (after != null) query.append("&after=").append(Connection.part(after));
        var found = connection.get(query.toString());
        if (args.has(Option.JSON)) {
            console.out().println(found);
            return Exit.OK;
        }
        var rows = new ArrayList<List<String>>();
        for (var callback : found.get("callbacks")) {
            rows.add(
                    List.of(
                            Shown.text(callback, "callback_id"),
                            Shown.text(callback, "session_id"),
                            about(callback),
                            Shown.text(callback, "state"),
                            Shown.text(callback, "tries"),
                            detail(callback)));
        }
        console.out()
                .print(Table.of(List.of("ID", "WAKES", "ABOUT", "STATE", "TRIES", "DETAIL"), rows));
        var next = Json.text(found, "next");
        if (next != null) console.err().println("more with --after " + next);
        return Exit.OK;
    }

    private static String about(JsonNode callback) {
        var child = Json.text(callback, "child_session_id");
        if (child != null) return "end of " + Shown.harmless(child);
        var join = Json.text(callback, "join_id");
        return join == null ? "message" : Shown.harmless(join);
    }

    private static String detail(JsonNode callback) {
        for (var field : List.of("reason", "carrier", "due")) {
            var value = Json.text(callback, field);
            if (value != null) return Shown.harmless(value).replace('\n', ' ');
        }
        return "";
    }
}
