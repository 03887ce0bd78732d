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
import dev.coppice.wire.look.UsageCalls;
import dev.coppice.wire.look.UsageCalls.ModelView;
import dev.coppice.wire.session.SessionCalls;

import java.util.ArrayList;
import java.util.List;

/** Reports or shows what a session has spent. */
public final class UsageCommand implements Command {
    private static final List<String> AMOUNTS =
            List.of("tokens", "input-tokens", "output-tokens", "cost");

    @Override
    public String name() {
        return "usage";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Show what a session or all have spent, or report it",
                List.of("[NAME]"),
                List.of(
                        Option.of("tokens", "N", "report N tokens"),
                        Option.of("input-tokens", "N", "report N tokens read"),
                        Option.of("output-tokens", "N", "report N tokens written"),
                        Option.of("cost", "USD", "report USD dollars, such as 0.02"),
                        Option.flag("models", "with --json: the uses of models instead"),
                        Option.of("since", "TIME", "without NAME: since then, such as 7d (today)"),
                        Option.of("by", "WHAT", "by model, blueprint, tree, host or label=KEY"),
                        Option.flag("csv", "print comma-separated values"),
                        Option.flag("plot", "draw the cost over time")),
                """
                Without NAME, shows what all sessions used of models today, and in a week. NAME of
                a tree shows its budget, too.

                Amounts are added to what was reported before, and count against the budgets of
                the session and of all above it. Runs, sessions and time are counted without a
                report. Inside an agent, NAME is its own session. A blueprint can name where its
                results tell the usage: see docs/budgets.md.

                  coppice usage --tokens 1200 --cost 0.02
                  coppice usage plan
                  coppice usage --since 7d --by tree --plot
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var name = args.wordOrNull(0);
        var self = console.env("AGENT_SESSION_ID");
        if (Expenses.areAsked(args, name == null && self == null)) {
            return new Expenses(connection, console).print(args, name);
        }
        var id = name == null ? String.valueOf(self) : connection.id(name);
        if (AMOUNTS.stream().anyMatch(args::has)) {
            connection.call(
                    BudgetCalls.REPORT,
                    new BudgetCalls.Usage(
                            id,
                            args.number("tokens"),
                            args.number("input-tokens"),
                            args.number("output-tokens"),
                            args.decimal("cost")));
        }
        var shown = connection.ask(BudgetCalls.READ, new SessionCalls.At(id));
        var models = connection.ask(UsageCalls.READ, new SessionCalls.At(id));
        if (args.has(Option.JSON)) {
            console.out().println(args.has("models") ? models.body() : shown.body());
            return Exit.OK;
        }
        var unpriced =
                models.value().tree().stream()
                        .filter(model -> model.unpricedTokens() > 0)
                        .map(ModelView::model)
                        .toList();
        console.out().print(BudgetCommand.spending(shown.value(), !unpriced.isEmpty(), console));
        if (!models.value().tree().isEmpty()) {
            console.out().println();
            console.out().print(models(models.value().tree(), console));
        }
        if (!unpriced.isEmpty()) {
            console.out().println(Expenses.withoutPrice(unpriced));
        }
        return Exit.OK;
    }

    private static String models(List<ModelView> models, Console console) {
        var rows = new ArrayList<List<String>>();
        for (var model : models) {
            rows.add(
                    List.of(
                            Shown.clean(model.model()),
                            Long.toString(model.calls()),
                            Long.toString(model.inputTokens()),
                            Long.toString(model.outputTokens()),
                            Long.toString(model.cacheReadTokens()),
                            Long.toString(model.cacheWriteTokens() + model.cacheWriteHourTokens()),
                            cost(model)));
        }
        var headings = List.of("MODEL", "CALLS", "READ", "WRITTEN", "CACHE READ", "CACHED", "COST");
        return Table.of(headings, rows, console);
    }

    private static String cost(ModelView model) {
        var cost = BudgetCommand.amount("cost_micros", model.costMicros());
        if (model.unpricedTokens() == 0) return cost;
        return model.costMicros() == 0 ? "unknown" : cost + " and unknown";
    }
}
