package dev.coppice.cli;

import dev.coppice.wire.budget.BudgetCalls;
import dev.coppice.wire.budget.BudgetCalls.AmountsView;
import dev.coppice.wire.budget.BudgetCalls.BudgetView;
import dev.coppice.wire.budget.BudgetRequest;
import dev.coppice.wire.budget.Policy;
import dev.coppice.wire.session.SessionCalls;

import org.jspecify.annotations.Nullable;

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
        var session = connection.id(args.word(0));
        var shown =
                SETTING.stream().anyMatch(args::has)
                        ? connection.ask(
                                BudgetCalls.SET, new BudgetCalls.Set(session, wanted(args)))
                        : connection.ask(BudgetCalls.READ, new SessionCalls.At(session));
        if (args.has(Option.JSON)) console.out().println(shown.body());
        else console.out().print(table(shown.value()));
        return Exit.OK;
    }

    private static final List<String> SETTING =
            List.of("tokens", "cost", "wall", "runs", "sessions", "policy");

    private static BudgetRequest wanted(Args args) {
        return new BudgetRequest(
                args.number("tokens"),
                cost(args.value("cost")),
                args.length("wall"),
                args.number("runs"),
                args.number("sessions"),
                args.choice("policy", Policy.REFUSE));
    }

    private static @Nullable BigDecimal cost(@Nullable String said) {
        if (said == null) return null;
        try {
            return new BigDecimal(said);
        } catch (NumberFormatException _) {
            throw new Args.Wrong("--cost is '%s'; it must be a number".formatted(said));
        }
    }

    private static String table(BudgetView shown) {
        var text = new StringBuilder();
        var limits = new ArrayList<List<String>>();
        for (var limit : shown.limits()) {
            long max = limit.max();
            limits.add(
                    List.of(
                            word(limit.kind()),
                            amount(limit.kind(), max),
                            amount(limit.kind(), limit.spent()),
                            (max == 0 ? 100 : limit.spent() * 100 / max) + " %",
                            limit.policy(),
                            Shown.harmless(limit.setBy())));
        }
        var headings = List.of("LIMIT", "MAX", "SPENT", "USED", "POLICY", "SET BY");
        if (limits.isEmpty()) text.append("There is no budget.\n");
        else text.append(Table.of(headings, limits));
        var rows = new ArrayList<List<String>>();
        rows.add(row(shown.own(), "itself"));
        for (var child : shown.children()) {
            rows.add(row(child.spent(), Shown.harmless(child.sessionName()) + " and below"));
        }
        rows.add(row(shown.spent(), "together"));
        return text.append('\n')
                .append(
                        Table.of(
                                List.of("WHO", "TOKENS", "COST", "TIME", "RUNS", "SESSIONS"), rows))
                .toString();
    }

    private static List<String> row(AmountsView spent, String who) {
        return List.of(
                who,
                Long.toString(spent.tokens()),
                amount("cost_micros", spent.costMicros()),
                amount("wall_millis", spent.wallMillis()),
                Long.toString(spent.runs()),
                Long.toString(spent.sessions()));
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
