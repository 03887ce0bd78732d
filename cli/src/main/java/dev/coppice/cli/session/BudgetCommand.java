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
import dev.coppice.wire.budget.BudgetAmounts;
import dev.coppice.wire.budget.BudgetCalls;
import dev.coppice.wire.budget.BudgetCalls.AmountsView;
import dev.coppice.wire.budget.BudgetCalls.BudgetView;
import dev.coppice.wire.budget.BudgetRequest;
import dev.coppice.wire.session.SessionCalls;
import dev.coppice.word.BudgetPolicy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Shows or sets the budget of a session and all below it. */
public final class BudgetCommand implements Command {
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
                                        "when spent: refuse new work, freeze or stop (default"
                                                + " refuse)")
                                .among(BudgetPolicy.class),
                        Option.flag("clear", "remove the whole budget of this session")),
                """
                Changes only what is named; 'none' lifts a single amount. An amount is capped
                at what the sessions above have left. An event is recorded at 80 %. What each
                amount counts, and how tokens and cost are reported: docs/budgets.md.

                  coppice budget plan
                  coppice budget plan --cost 5 --policy stop
                  coppice budget plan --cost none
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        boolean isChange = Stream.of(SETTING).anyMatch(args::has);
        if (isChange && args.has("clear")) {
            throw new Args.Invalid("--clear cannot be combined with amounts or a policy");
        }
        var session = connection.id(args.word(0));
        var at = new SessionCalls.At(session);
        var shown =
                args.has("clear")
                        ? connection.ask(BudgetCalls.CLEAR, at)
                        : isChange
                                ? connection.ask(BudgetCalls.CHANGE, change(session, args))
                                : connection.ask(BudgetCalls.READ, at);
        if (args.has(Option.JSON)) console.out().println(shown.text());
        else console.out().print(table(shown.value(), console));
        return Exit.OK;
    }

    private static final String NONE = "none";

    private static final String[] SETTING = {
        "tokens", "cost", "wall", "runs", "sessions", "policy"
    };

    private static BudgetCalls.Change change(String session, Args args) {
        var lifted =
                KINDS.entrySet().stream()
                        .filter(kind -> NONE.equals(args.value(kind.getKey())))
                        .map(Map.Entry::getValue)
                        .toList();
        var set = args.without(NONE);
        return new BudgetCalls.Change(
                session,
                amounts(set),
                args.choice("policy", BudgetPolicy.class),
                lifted.isEmpty() ? null : lifted);
    }

    private static BudgetAmounts amounts(Args args) {
        return new BudgetAmounts(
                args.number("tokens"),
                args.decimal("cost"),
                args.length("wall"),
                args.number("runs"),
                args.number("sessions"));
    }

    /** Reads the budget of a new session: dollars, or the options of this command with commas. */
    static BudgetRequest request(String text) {
        var line = new ArrayList<>(List.of("new"));
        for (var part : text.split(",", -1)) {
            int at = part.indexOf('=');
            var option = at < 0 ? "cost" : part.substring(0, at).strip();
            if (!List.of(SETTING).contains(option)) {
                throw Args.Invalid.near(
                        "--budget has no '%s'; it takes %s"
                                .formatted(option, String.join(", ", SETTING)),
                        option,
                        List.of(SETTING));
            }
            var value = part.substring(at + 1).strip();
            line.add(
                    "--%s=%s"
                            .formatted(option, value.startsWith("$") ? value.substring(1) : value));
        }
        var args = Args.read(new BudgetCommand().usage(), line);
        return new BudgetRequest(amounts(args), args.choice("policy", BudgetPolicy.REFUSE));
    }

    private static final Map<String, BudgetCalls.Kind> KINDS =
            Map.of(
                    "tokens", BudgetCalls.Kind.TOKENS,
                    "cost", BudgetCalls.Kind.COST_USD,
                    "wall", BudgetCalls.Kind.WALL,
                    "runs", BudgetCalls.Kind.RUNS,
                    "sessions", BudgetCalls.Kind.SESSIONS);

    private static String table(BudgetView shown, Console console) {
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
        else text.append(Table.of(headings, limits, console));
        return text.append('\n').append(spending(shown, false, console)).toString();
    }

    /**
     * Usage of a session, its children and its tree.
     *
     * @param isPartlyUnknown whether models without a known price were used there
     */
    static String spending(BudgetView shown, boolean isPartlyUnknown, Console console) {
        var rows = new ArrayList<List<String>>();
        rows.add(row(shown.own(), "itself", isPartlyUnknown));
        for (var child : shown.children()) {
            var name = Shown.clean(child.sessionName()) + " and below";
            rows.add(row(child.spent(), name, isPartlyUnknown));
        }
        rows.add(row(shown.spent(), "total", isPartlyUnknown));
        var headings = List.of("FOR", "TOKENS", "COST", "TIME", "RUNS", "SESSIONS");
        return Table.of(headings, rows, console);
    }

    private static List<String> row(AmountsView spent, String name, boolean isPartlyUnknown) {
        boolean isUnknown = isPartlyUnknown && spent.costMicros() == 0 && spent.tokens() > 0;
        return List.of(
                name,
                Long.toString(spent.tokens()),
                isUnknown ? "unknown" : amount("cost_micros", spent.costMicros()),
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

    static String amount(String kind, long value) {
        return switch (kind) {
            case "cost_micros" -> Shown.dollars(value);
            case "wall_millis" -> Shown.length(Duration.ofMillis(value));
            default -> Long.toString(value);
        };
    }
}
