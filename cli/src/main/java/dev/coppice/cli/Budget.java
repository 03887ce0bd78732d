package dev.coppice.cli;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Shows what a tree spends, and sets what it may. */
final class Budget implements Command {
    @Override
    public String name() {
        return "budget";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Show or set what a session and all below it may spend",
                List.of("NAME"),
                List.of(
                        Option.of("tokens", "N", "how many tokens"),
                        Option.of("cost", "USD", "how many dollars, as 2.50"),
                        Option.of("wall", "TIME", "how much time its runs may take together"),
                        Option.of("runs", "N", "how many runs"),
                        Option.of("sessions", "N", "how many sessions, itself included"),
                        Option.of(
                                "policy",
                                "POLICY",
                                "when it is spent: refuse (new work), freeze or stop; refuse")),
                """
                Every option that is given replaces the whole budget of the session. It is
                clamped to what those above have left. At 80 % an event says so.

                  coppice budget plan
                  coppice budget plan --cost 5 --policy stop
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var path = "/sessions/" + Connection.part(connection.id(args.word(0))) + "/budget";
        var wanted = wanted(args);
        var shown = wanted.isEmpty() ? connection.get(path) : connection.put(path, wanted);
        if (args.has(Option.JSON)) console.out().println(shown);
        else console.out().print(table(shown));
        return Exit.OK;
    }

    private static ObjectNode wanted(Args args) {
        var wanted = Json.object();
        for (var field : List.of("tokens", "runs", "sessions")) {
            var said = args.value(field);
            if (said != null) wanted.put(field, number(field, said).longValue());
        }
        var cost = args.value("cost");
        if (cost != null) wanted.put("cost_usd", number("cost", cost));
        for (var field : List.of("wall", "policy")) {
            if (args.value(field) != null) wanted.put(field, args.value(field));
        }
        return wanted;
    }

    private static BigDecimal number(String option, String said) {
        try {
            return new BigDecimal(said);
        } catch (NumberFormatException _) {
            throw new Args.Wrong("--%s is '%s'; it must be a number".formatted(option, said));
        }
    }

    private static String table(JsonNode shown) {
        var text = new StringBuilder();
        var limits = new ArrayList<List<String>>();
        for (var limit : shown.get("limits")) {
            var kind = Shown.text(limit, "kind");
            long max = limit.get("max").asLong();
            long spent = limit.get("spent").asLong();
            limits.add(
                    List.of(
                            word(kind),
                            amount(kind, max),
                            amount(kind, spent),
                            (max == 0 ? 100 : spent * 100 / max) + " %",
                            Shown.text(limit, "policy"),
                            Shown.text(limit, "set_by")));
        }
        var headings = List.of("LIMIT", "MAX", "SPENT", "USED", "POLICY", "SET BY");
        if (limits.isEmpty()) text.append("There is no budget.\n");
        else text.append(Table.of(headings, limits));
        var rows = new ArrayList<List<String>>();
        rows.add(row(shown, "own", "itself"));
        for (var child : shown.get("children")) {
            rows.add(row(child, "spent", Shown.text(child, "session_name") + " and below"));
        }
        rows.add(row(shown, "spent", "together"));
        return text.append('\n')
                .append(
                        Table.of(
                                List.of("WHO", "TOKENS", "COST", "TIME", "RUNS", "SESSIONS"), rows))
                .toString();
    }

    private static List<String> row(JsonNode of, String which, String who) {
        var spent = of.get(which);
        var row = new ArrayList<>(List.of(who));
        for (var kind : List.of("tokens", "cost_micros", "wall_millis", "runs", "sessions")) {
            row.add(amount(kind, spent.get(kind).asLong()));
        }
        return row;
    }

    private static String word(String kind) {
        return switch (kind) {
            case "cost_micros" -> "cost";
            case "wall_millis" -> "time";
            default -> kind;
        };
    }

    private static String amount(String kind, long value) {
        return switch (kind) {
            case "cost_micros" ->
                    "$" + BigDecimal.valueOf(value, 6).stripTrailingZeros().toPlainString();
            case "wall_millis" -> Shown.length(Duration.ofMillis(value));
            default -> Long.toString(value);
        };
    }
}
