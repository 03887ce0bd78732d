package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
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

/** Shows or sets the budget of a session and all below it. */
public final class Budget implements Command {
    @Override
    public String name() {
        return "budget";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Show or set the budget of a session and all below it",
                List.of("NAME"),
                List.of(
                        Option.of("tokens", "N", "spend at most N tokens"),
                        Option.of("cost", "USD", "spend at most USD dollars, such as 2.50"),
                        Option.of("wall", "TIME", "run for at most TIME in total"),
                        Option.of("runs", "N", "start at most N runs"),
                        Option.of("sessions", "N", "have at most N sessions, including itself"),
                        Option.of(
                                "policy",
                                "POLICY",
                                "when spent: refuse new work, freeze or stop (default refuse)")),
                """
                Any of these options replaces the whole budget of the session. An amount is
                capped at what the sessions above have left. An event is recorded at 80 %.

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

    private static @Nullable BigDecimal cost(@Nullable String text) {
        if (text == null) return null;
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException _) {
            throw new Args.Invalid("--cost is '%s'; it must be a number".formatted(text));
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
                            Shown.clean(limit.setBy())));
        }
        var headings = List.of("LIMIT", "MAX", "SPENT", "USED", "POLICY", "SET BY");
        if (limits.isEmpty()) text.append("There is no budget.\n");
        else text.append(Table.of(headings, limits));
        var rows = new ArrayList<List<String>>();
        rows.add(row(shown.own(), "itself"));
        for (var child : shown.children()) {
            rows.add(row(child.spent(), Shown.clean(child.sessionName()) + " and below"));
        }
        rows.add(row(shown.spent(), "total"));
        return text.append('\n')
                .append(
                        Table.of(
                                List.of("FOR", "TOKENS", "COST", "TIME", "RUNS", "SESSIONS"), rows))
                .toString();
    }

    private static List<String> row(AmountsView spent, String name) {
        return List.of(
                name,
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
