package dev.coppice.cli.look;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Csv;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.originals.report.TreeReportCalls;
import dev.coppice.wire.Length;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Prints a table over many sessions. */
public final class ReportCommand implements Command {
    private static final String CSV = "csv";
    private static final int DEPTH_MAX = 256;
    private static final Set<String> TIMES = Set.of("timestamp", "wave_start", "wave_end");
    private static final Set<String> LENGTHS =
            Set.of("duration_ms", "spawn_delay_ms", "child_duration");

    @Override
    public String name() {
        return "report";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Print a report on events, sessions or their relationships",
                List.of("timeline|waves|performance|spawn-delays|children|relationships", "[NAME]"),
                List.of(
                        Option.of("since", "TIME", "only the last TIME, such as 2h (default 1d)"),
                        Option.of("depth", "N", "at most N levels below NAME, or below roots"),
                        Option.flag(CSV, "print comma-separated values"),
                        Option.of("limit", "N", "show at most N (default 100)"),
                        Option.of("after", "CURSOR", "show the page after this cursor")),
                """
                With NAME, only that session and all below it. 'children' and 'relationships'
                show everything that there is now; --since does not matter to them. In CSV and
                JSON, times are milliseconds.

                  coppice report spawn-delays plan --since 2h
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var name = args.wordOrNull(1);
        var ask =
                new TreeReportCalls.Ask(
                        TreeReportCalls.Report.valueOf(
                                args.word(0).replace('-', '_').toUpperCase(Locale.ROOT)),
                        name == null ? null : connection.id(name),
                        from(args.length("since")),
                        null,
                        args.count("depth", DEPTH_MAX),
                        args.page());
        var found = connection.ask(TreeReportCalls.READ, ask);
        if (args.has(Option.JSON)) {
            console.out().println(found.text());
            return Exit.OK;
        }
        var table = found.value();
        if (args.has(CSV)) {
            console.out().print(Csv.line(table.columns()));
            for (var row : table.rows()) {
                console.out()
                        .print(Csv.line(table.columns().stream().map(c -> text(row, c)).toList()));
            }
        } else {
            var headings =
                    table.columns().stream()
                            .map(c -> c.replaceFirst("_ms$", "").replace('_', ' '))
                            .map(c -> c.toUpperCase(Locale.ROOT))
                            .toList();
            var rows =
                    table.rows().stream()
                            .map(row -> table.columns().stream().map(c -> cell(row, c)).toList())
                            .toList();
            console.out().print(Table.of(headings, rows, console));
        }
        Table.more(table.next(), console);
        return Exit.OK;
    }

    private static @Nullable Long from(@Nullable Length since) {
        if (since == null) return null;
        return Math.max(0, InstantSource.system().instant().minus(since.value()).toEpochMilli());
    }

    private static String text(JsonNode row, String column) {
        return row.path(column).asString("");
    }

    private static String cell(JsonNode row, String column) {
        var value = row.path(column);
        if (value.isNull() || value.isMissingNode()) return "";
        if (TIMES.contains(column)) return Instant.ofEpochMilli(value.asLong()).toString();
        if (LENGTHS.contains(column)) return Shown.length(Duration.ofMillis(value.asLong()));
        return Shown.line(value.asString(""));
    }
}
