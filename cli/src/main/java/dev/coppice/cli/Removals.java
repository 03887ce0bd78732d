package dev.coppice.cli;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/** Shows what was removed and what can still be undone; calls off, or purges. */
final class Removals implements Command {
    @Override
    public String name() {
        return "removals";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List removals, or show, call off or purge one",
                List.of("[ID]", "[cancel|purge|abandon]"),
                List.of(
                        Option.of("reason", "TEXT", "why it is called off"),
                        Option.of("limit", "N", "how many at most; 100 by default"),
                        Option.of("after", "CURSOR", "the next page")),
                """
                One that waits says for what. While nothing is hidden yet it can be called
                off, or go on without what it waits for ('abandon', with --reason); what is
                hidden can be undone until its time is over, or purged at once.

                  coppice removals
                  coppice removals rem_0123456789ab purge
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var id = args.wordOrNull(0);
        if (id == null) return list(connection, args, console);
        var path = "/removals/" + Connection.part(id);
        var word = args.wordOrNull(1);
        var reason = args.value("reason");
        var body = reason == null ? Json.object() : Json.object().put("reason", reason);
        var removal =
                switch (word == null ? "show" : word) {
                    case "show" -> connection.get(path);
                    case "cancel" -> connection.post(path + "/cancel", body);
                    case "abandon" -> connection.post(path + "/abandon", body);
                    case "purge" -> connection.post(path + "/purge?wait=1h", body);
                    case String other ->
                            throw new Args.Wrong(
                                    "nothing is known to be done with '%s'".formatted(other));
                };
        if (args.has(Option.JSON)) console.out().println(removal);
        else console.out().print(Table.of(HEADINGS, List.of(row(removal))));
        return Exit.OK;
    }

    private static final List<String> HEADINGS =
            List.of("ID", "SESSION", "STATE", "%", "SESSIONS", "UNTIL", "REASON");

    private static Exit list(Connection connection, Args args, Console console) {
        var query = "/removals?limit=" + args.value("limit", "100");
        var after = args.value("after");
        if (after != null) query += "&after=" + Connection.part(after);
        var found = connection.get(query);
        if (args.has(Option.JSON)) {
            console.out().println(found);
            return Exit.OK;
        }
        var rows = new ArrayList<List<String>>();
        for (var removal : found.get("removals")) rows.add(row(removal));
        console.out().print(Table.of(HEADINGS, rows));
        var next = Json.text(found, "next");
        if (next != null) console.err().println("more with --after " + next);
        return Exit.OK;
    }

    private static List<String> row(JsonNode removal) {
        var why = Json.text(removal, "waits_for");
        if (why == null) why = Json.text(removal, "called_off");
        if (why == null) why = Json.text(removal, "reason");
        boolean hidden = Shown.text(removal, "state").equals("hidden");
        return List.of(
                Shown.text(removal, "removal_id"),
                Shown.text(removal, "session_name"),
                Shown.text(removal, "state"),
                Shown.text(removal, "percent"),
                Shown.text(removal.get("taken"), "sessions"),
                hidden ? Shown.text(removal, "undo_until") : "",
                Shown.harmless(why));
    }
}
