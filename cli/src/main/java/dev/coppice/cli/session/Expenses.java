package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.wire.look.UsageCalls;
import dev.coppice.wire.look.UsageCalls.By;
import dev.coppice.wire.look.UsageCalls.PartView;
import dev.coppice.wire.look.UsageCalls.SpendingView;
import dev.coppice.wire.look.UsageCalls.SpentView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Shows what all sessions spent in a time. */
record Expenses(Connection connection, Console console) {
    private static final List<String> OPTIONS = List.of("since", "by", "csv", "plot");
    private static final String LABEL = "label=";
    private static final int BAR_CHARS = 40;
    private static final Duration WEEK = Duration.ofDays(7);

    static boolean areAsked(Args args, boolean isWithoutName) {
        return isWithoutName || OPTIONS.stream().anyMatch(args::has);
    }

    Exit print(Args args, @Nullable String name) {
        var zone = ZoneId.systemDefault();
        var now = InstantSource.system().instant();
        var since = args.length("since");
        var from =
                since == null
                        ? LocalDate.ofInstant(now, zone).atStartOfDay(zone).toInstant()
                        : now.minus(since.value());
        var id = name == null ? null : connection.id(name);
        var given = args.value("by", "tree");
        boolean isByLabel = given.startsWith(LABEL);
        var by = isByLabel ? By.LABEL : by(given);
        var label = isByLabel ? given.substring(LABEL.length()) : null;
        var asked = new UsageCalls.Spent(from.toString(), null, by, label, id);
        var answer = connection.ask(UsageCalls.SPENT, asked);
        if (args.has(Option.JSON)) {
            console.out().println(answer.body());
            return Exit.OK;
        }
        var spent = answer.value();
        if (args.has("csv")) {
            csv(spent);
            return Exit.OK;
        }
        if (since == null) sums(spent, now, id);
        if (!spent.rows().isEmpty()) {
            if (since == null) console.out().println();
            console.out().print(table(given, spent));
        } else if (since != null) {
            console.out().println("No use of a model is known since then.");
        }
        if (args.has("plot")) plot(spent, zone);
        if (spent.cut()) console.err().println("coppice: there was more than could be summed");
        if (!spent.unpricedModels().isEmpty()) {
            console.out().println(withoutPrice(spent.unpricedModels()));
        }
        return Exit.OK;
    }

    private static By by(String word) {
        for (var by : By.values()) {
            if (by != By.LABEL && by.name().toLowerCase(Locale.ROOT).equals(word)) return by;
        }
        throw new Args.Invalid(
                "--by is '%s'; it must be one of model, blueprint, tree, host, label=KEY"
                        .formatted(word));
    }

    private void sums(SpendingView today, Instant now, @Nullable String id) {
        var asked = new UsageCalls.Spent(now.minus(WEEK).toString(), null, By.MODEL, null, id);
        var week = connection.call(UsageCalls.SPENT, asked);
        console.out()
                .print(
                        Table.of(
                                List.of("SINCE", "COST", "TOKENS", "CALLS"),
                                List.of(row("today", today.total()), row("7 days", week.total())),
                                console));
    }

    private static List<String> row(String name, SpentView spent) {
        return List.of(
                name, cost(spent), Long.toString(spent.tokens()), Long.toString(spent.calls()));
    }

    private static String cost(SpentView spent) {
        boolean isKnown = spent.unpricedTokens() == 0;
        if (!isKnown && spent.costMicros() == 0) return "unknown";
        return Shown.dollars(spent.costMicros()) + (isKnown ? "" : " + unknown");
    }

    private String table(String by, SpendingView spent) {
        var rows = new ArrayList<List<String>>();
        for (var one : spent.rows()) {
            rows.add(
                    List.of(
                            one.name().isEmpty() ? "(none)" : Shown.clean(one.name()),
                            cost(one),
                            Long.toString(one.tokens()),
                            Long.toString(one.outputTokens()),
                            Long.toString(one.calls())));
        }
        var head = by.toUpperCase(Locale.ROOT);
        return Table.of(List.of(head, "COST", "TOKENS", "WRITTEN", "CALLS"), rows, console);
    }

    private void csv(SpendingView spent) {
        var out = console.out();
        out.println("name,calls,tokens,output_tokens,cost_usd,unpriced_tokens");
        for (var one : spent.rows()) {
            out.println(
                    "\"%s\",%d,%d,%d,%s,%d"
                            .formatted(
                                    Shown.clean(one.name()).replace("\"", "\"\""),
                                    one.calls(),
                                    one.tokens(),
                                    one.outputTokens(),
                                    java.math.BigDecimal.valueOf(one.costMicros(), 6)
                                            .toPlainString(),
                                    one.unpricedTokens()));
        }
    }

    private void plot(SpendingView spent, ZoneId zone) {
        long most = spent.overTime().stream().mapToLong(PartView::costMicros).max().orElse(0);
        boolean isOfTokens = most == 0;
        if (isOfTokens)
            most = spent.overTime().stream().mapToLong(PartView::tokens).max().orElse(0);
        if (most == 0) return;
        boolean isDays = Duration.ofMillis(spent.partMs()).toDays() > 0;
        var format = DateTimeFormatter.ofPattern(isDays ? "MM-dd" : "MM-dd HH:mm", Locale.ROOT);
        console.out().println();
        for (var part : spent.overTime()) {
            long value = isOfTokens ? part.tokens() : part.costMicros();
            int width = (int) Math.max(1, value * BAR_CHARS / most);
            var amount = isOfTokens ? part.tokens() + " tokens" : Shown.dollars(part.costMicros());
            console.out()
                    .println(
                            "%s  %s %s"
                                    .formatted(
                                            Instant.parse(part.from()).atZone(zone).format(format),
                                            "█".repeat(width),
                                            amount));
        }
    }

    static String withoutPrice(List<String> models) {
        return "The price of %s is not known; 'coppice prices --help' says how to add it."
                .formatted(Shown.names(models));
    }
}
