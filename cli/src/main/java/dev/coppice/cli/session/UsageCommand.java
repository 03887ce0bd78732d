package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.budget.BudgetCalls;
import dev.coppice.wire.session.SessionCalls;

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
                "Report or show what a session has spent",
                List.of("[NAME]"),
                List.of(
                        Option.of("tokens", "N", "report N tokens"),
                        Option.of("input-tokens", "N", "report N tokens read"),
                        Option.of("output-tokens", "N", "report N tokens written"),
                        Option.of("cost", "USD", "report USD dollars, such as 0.02")),
                """
                Amounts are added to what was reported before, and count against the budgets of
                the session and of all above it. Runs, sessions and time are counted without a
                report. Inside an agent, NAME is its own session. A blueprint can name where its
                results tell the usage: see docs/budgets.md.

                  coppice usage --tokens 1200 --cost 0.02
                  coppice usage plan
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var name = args.wordOrNull(0);
        var self = console.env("AGENT_SESSION_ID");
        if (name == null && self == null) throw new Args.Invalid("NAME is missing");
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
        console.out()
                .print(
                        args.has(Option.JSON)
                                ? shown.body() + "\n"
                                : Budget.spending(shown.value(), console));
        return Exit.OK;
    }
}
