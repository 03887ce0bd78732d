package dev.coppice.cli;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/** Takes everything away: every tree by a removal of its own, after showing what that means. */
final class DeleteAll implements Command {
    @Override
    public String name() {
        return "delete-all";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Take every tree away, after showing the plan",
                List.of(),
                List.of(
                        Option.flag("yes", "do not ask").as("y"),
                        Option.flag("dry-run", "only show what would happen"),
                        Option.flag("stop", "stop what still runs"),
                        Option.flag("override", "break off critical operations; needs --reason"),
                        Option.of("reason", "TEXT", "why, for those who look later")),
                """
                For operators: an agent can remove nothing but what is below itself. Each
                tree is confirmed with the digest of its plan, can be undone by itself, and
                has its work kept and its backup written first.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var plans = new ArrayList<JsonNode>();
        for (var session : connection.pages("/sessions?limit=1000", "sessions")) {
            if (session.hasNonNull("parent_session_id")) continue;
            plans.add(Remove.plan(connection, args, Shown.text(session, "session_id")));
        }
        long sessions = plans.stream().mapToLong(p -> p.get("sessions").asLong()).sum();
        var rows = new ArrayList<List<String>>();
        for (var plan : plans) rows.add(row(plan));
        var headings = List.of("TREE", "SESSIONS", "RUNS", "UNSAVED", "REFUSED");
        console.err().print(Table.of(headings, rows));
        console.err().println("%d trees, %d sessions".formatted(plans.size(), sessions));
        if (args.has("dry-run") || plans.isEmpty()) return Exit.OK;
        if (!args.has("yes") && !agreed(sessions, console)) {
            console.err().println("nothing was done");
            return Exit.REFUSED;
        }
        return remove(connection, plans, args, console);
    }

    private static List<String> row(JsonNode plan) {
        long unsaved = 0;
        for (var item : plan.get("work")) if (item.get("unsaved").asBoolean()) unsaved++;
        var refused = new ArrayList<String>();
        plan.get("refusals").forEach(r -> refused.add(Shown.text(r, "said")));
        return List.of(
                Shown.text(plan, "session_name"),
                Shown.text(plan, "sessions"),
                Shown.text(plan, "runs"),
                unsaved + " directories",
                String.join("; ", refused));
    }

    /** A number has to be typed: an idle return key must not do this. */
    private static boolean agreed(long sessions, Console console) {
        if (!console.isTerminal()) throw new Args.Wrong("nobody can be asked here; say --yes");
        console.err().print("Type %d to remove them all: ".formatted(sessions));
        console.err().flush();
        return console.line().strip().equals(Long.toString(sessions));
    }

    private static Exit remove(
            Connection connection, List<JsonNode> plans, Args args, Console console) {
        int stay = 0;
        var answers = Json.object().putArray("removals");
        for (var plan : plans) {
            try {
                var request = Remove.choices(args).put("confirm", Shown.text(plan, "digest"));
                var id = Shown.text(plan, "session_id");
                answers.add(Remove.remove(connection, id, request));
            } catch (Connection.Refused e) {
                stay++;
                console.err().println("  stays: " + e.getMessage());
            }
        }
        if (args.has(Option.JSON)) console.out().println(answers);
        else console.out().println("%d removed, %d stay".formatted(plans.size() - stay, stay));
        return stay == 0 ? Exit.OK : Exit.REFUSED;
    }
}
