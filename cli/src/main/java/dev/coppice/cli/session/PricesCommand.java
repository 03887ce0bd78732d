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
import dev.coppice.wire.Call;
import dev.coppice.wire.look.UsageCalls;
import dev.coppice.wire.look.UsageCalls.PriceView;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Lists the prices of models. */
public final class PricesCommand implements Command {
    @Override
    public String name() {
        return "prices";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List the prices of models",
                List.of(),
                List.of(),
                """
                In dollars for a million tokens. Your own prices are in prices.json of the data
                directory; they come first and are read again when the file changes:

                  {"models": [{"match": "my-model*", "input": 1, "output": 4,
                               "cache_read": 0.1, "cache_write": 1.25}]}

                A model without a price has an unknown cost, until there is one.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var found = Connection.open(args, console).ask(UsageCalls.PRICES, new Call.Nothing());
        if (args.has(Option.JSON)) {
            console.out().println(found.text());
            return Exit.OK;
        }
        var rows = new ArrayList<List<String>>();
        for (var price : found.value().prices()) rows.add(row(price));
        var headings = List.of("MODEL", "READ", "WRITTEN", "CACHE READ", "CACHE", "CACHE 1H", "");
        console.out().print(Table.of(headings, rows, console));
        console.out().println("Your own prices: " + Shown.clean(found.value().file()));
        return Exit.OK;
    }

    private static List<String> row(PriceView price) {
        var above = price.above();
        return List.of(
                Shown.clean(price.match()),
                price.input().toPlainString(),
                price.output().toPlainString(),
                plain(price.cacheRead()),
                plain(price.cacheWrite()),
                plain(price.cacheWriteHour()),
                above == null
                        ? ""
                        : "above %d: %s, %s"
                                .formatted(
                                        above,
                                        plain(price.aboveInput()),
                                        plain(price.aboveOutput())));
    }

    private static String plain(@Nullable BigDecimal price) {
        return price == null ? "" : price.toPlainString();
    }
}
