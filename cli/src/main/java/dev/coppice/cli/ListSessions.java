package dev.coppice.cli;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Lists sessions. */
final class ListSessions implements Command {
    @Override
    public String name() {
        return "list";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List sessions, newest first",
                List.of(),
                List.of(
                        Option.of("status", "STATES", "only these, as running,failed"),
                        Option.of("name", "PREFIX", "only names beginning so"),
                        Option.of("limit", "N", "how many at most; 100 by default"),
                        Option.of("after", "CURSOR", "go on after the page before")),
                "");
    }

    @Override
    public Exit run(Args args, Console console) {
        var query = new ArrayList<String>();
        for (var name : List.of("status", "name", "limit", "after")) {
            var value = args.value(name);
            if (value != null) query.add(name + "=" + Connection.part(value));
        }
        var page = Connection.open(args, console).get("/sessions?" + String.join("&", query));
        if (args.has(Option.JSON)) {
            console.out().println(page);
            return Exit.OK;
        }
        console.out().print(table(page.get("sessions")));
        if (page.hasNonNull("next"))
            console.err().println("There are more: --after " + Shown.text(page, "next"));
        return Exit.OK;
    }

    static String table(JsonNode sessions) {
        Instant now = InstantSource.system().instant();
        var rows = new ArrayList<List<String>>();
        for (var session : sessions) {
            rows.add(
                    List.of(
                            Shown.text(session, "session_name"),
                            Shown.state(Shown.text(session, "state"), false),
                            Shown.age(session, now),
                            Shown.text(session, "agent_name"),
                            Shown.text(session, "parent_session_name"),
                            Shown.text(session, "session_id")));
        }
        return Table.of(List.of("NAME", "STATE", "AGE", "BLUEPRINT", "PARENT", "ID"), rows);
    }
}
