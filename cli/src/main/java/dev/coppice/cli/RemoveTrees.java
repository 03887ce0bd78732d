package dev.coppice.cli;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Takes many trees away, each by a removal of its own: shows the plans of all, asks once, and
 * confirms each with its digest. What is refused stays and is named.
 */
final class RemoveTrees {
    private static final Set<String> GONE = Set.of("hidden", "purging", "purged");
    private final Connection connection;
    private final Args args;
    private final Console console;

    RemoveTrees(Connection connection, Args args, Console console) {
        this.connection = connection;
        this.args = args;
        this.console = console;
    }

    Exit remove(List<JsonNode> tops) {
        var plans = tops.stream().map(this::planned).flatMap(Optional::stream).toList();
        long sessions = plans.stream().mapToLong(p -> p.get("sessions").asLong()).sum();
        var headings = List.of("TREE", "SESSIONS", "RUNS", "UNSAVED", "REFUSED");
        console.err().print(Table.of(headings, plans.stream().map(RemoveTrees::row).toList()));
        console.err().println("%d trees, %d sessions".formatted(plans.size(), sessions));
        if (args.has("dry-run") || plans.isEmpty()) {
            if (args.has(Option.JSON)) console.out().println(Json.tree(plans));
            return Exit.OK;
        }
        if (!args.has("yes") && !agreed(sessions)) {
            console.err().println("nothing was done");
            return Exit.REFUSED;
        }
        return removed(plans);
    }

    /** Nothing of one that has gone since it was listed. */
    private Optional<JsonNode> planned(JsonNode top) {
        try {
            return Optional.of(Remove.plan(connection, args, Shown.text(top, "session_id")));
        } catch (Connection.Refused e) {
            console.err().println("  left out: " + e.getMessage());
            return Optional.empty();
        }
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
    private boolean agreed(long sessions) {
        if (!console.isTerminal()) throw new Args.Wrong("nobody can be asked here; say --yes");
        console.err().print("Type %d to remove them all: ".formatted(sessions));
        console.err().flush();
        return console.line().strip().equals(Long.toString(sessions));
    }

    private Exit removed(List<JsonNode> plans) {
        int stay = 0;
        var answers = Json.object().putArray("removals");
        for (var plan : plans) {
            try {
                var request = Remove.choices(args).put("confirm", Shown.text(plan, "digest"));
                var id = Shown.text(plan, "session_id");
                var removal = Remove.remove(connection, id, request);
                answers.add(removal);
                if (GONE.contains(Shown.text(removal, "state"))) continue;
                stay++;
                console.err().println("  waits: %s".formatted(Shown.text(removal, "waits_for")));
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
