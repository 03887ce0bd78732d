package dev.coppice.cli;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Stops a session. */
final class Stop implements Command {
    private static final String ALIVE = "pending,running,idle,stopping";

    @Override
    public String name() {
        return "stop";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Stop a session, or a whole tree",
                List.of("NAME"),
                List.of(
                        Option.flag("tree", "all below it too, children before parents"),
                        Option.flag("alone", "only this session, without asking"),
                        Option.of("deadline", "TIME", "how long it may take to end by itself; 5s"),
                        Option.of("reason", "TEXT", "why, for those who look later")),
                """
                A root with living children is not stopped before you have said which:
                --tree, --alone, or an answer to the question. Children that were started to
                end with it, or to be kept only while it is not stopped, are stopped in any
                case. Asking again joins the stop under way.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var session = connection.session(args.word(0));
        var path = "/sessions/" + Connection.part(Shown.text(session, "session_id")) + "/stop";
        boolean tree =
                args.has("tree") || (!args.has("alone") && wantsTree(connection, session, console));
        var request = Json.object().put("scope", tree ? "tree" : "session");
        if (args.value("deadline") != null) request.put("deadline", args.value("deadline"));
        if (args.value("reason") != null) request.put("reason", args.value("reason"));
        var answer = connection.post(tree ? path + "?wait=1h" : path, request);
        if (args.has(Option.JSON)) {
            console.out().println(answer);
        } else if (tree) {
            told(answer, console);
        } else {
            console.out().println("%s is %s".formatted(args.word(0), Shown.text(answer, "status")));
        }
        return !tree || answer.get("over").asBoolean() ? Exit.OK : Exit.LATE;
    }

    private static boolean wantsTree(Connection connection, JsonNode session, Console console) {
        if (session.hasNonNull("parent_session_id")) return false;
        var id = Connection.part(Shown.text(session, "session_id"));
        var living = connection.get("/sessions?parent=" + id + "&limit=1&status=" + ALIVE);
        if (living.get("sessions").isEmpty()) return false;
        if (!console.isTerminal()) {
            throw new Args.Wrong("it has living children; say --tree or --alone");
        }
        console.err().print("It has living children. Stop the whole tree? [y/N] ");
        console.err().flush();
        return console.line().strip().toLowerCase(Locale.ROOT).startsWith("y");
    }

    private static void told(JsonNode stop, Console console) {
        var rows = new ArrayList<List<String>>();
        for (var session : stop.get("sessions")) {
            rows.add(
                    List.of(
                            Shown.text(session, "session_name"),
                            Shown.state(Shown.text(session, "state"), false),
                            Shown.text(session, "reason")));
        }
        if (rows.isEmpty()) console.out().println("nothing in the tree was alive");
        else console.out().print(Table.of(List.of("NAME", "STATE", "REASON"), rows));
    }
}
