package dev.coppice.cli.look;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Usage;
import dev.coppice.cli.engine.Width;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.word.Ending;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.List;

/** Finds events by their words, types, tools and outcomes. */
public final class SearchCommand implements Command {
    private static final String MARGIN = "       ";
    private static final String BOLD = "\u001b[1m";
    private static final String PLAIN = "\u001b[0m";

    static final Option WAVE = Option.of("wave", "ID", "only the sessions of this wave");
    static final Option TOOL =
            Option.of("tool", "TOOL", "only events about this tool, such as Bash");
    static final Option STATUS = Option.of("status", "OUTCOME", "only what ended so: ok or failed");

    static EventCalls.Kinds kinds(Args args) {
        return new EventCalls.Kinds(
                args.value(WAVE.name()),
                args.list("type"),
                args.value(TOOL.name()),
                args.choice(STATUS.name(), Ending.class));
    }

    @Override
    public String name() {
        return "search";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Find events by their words, types, tools and outcomes",
                List.of("[WORD...]"),
                List.of(
                        Option.of("in", "NAME", "only this session and all below it"),
                        Option.of("type", "TYPES", "only these types, such as PreToolUse,result"),
                        WAVE,
                        TOOL,
                        STATUS,
                        Option.of("limit", "N", "show at most N (default 50)"),
                        Option.of("before", "NUMBER", "only before the event with this number")),
                """
                Shows the newest events first. All words must occur. A phrase is one argument of
                several words, an asterisk stands for the rest of a word, and -WORD must not occur
                (after '--', because it looks like an option).

                  coppice search 'connection refused' --in plan --tool Bash
                  coppice search --status failed
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var in = args.value("in");
        var text = String.join(" ", args.words().stream().map(SearchCommand::term).toList());
        var find =
                new EventCalls.Search(
                        text.isEmpty() ? null : text,
                        null,
                        in == null ? null : connection.id(in),
                        kinds(args),
                        null,
                        args.number("before"),
                        args.count("limit", 50));
        var found = connection.ask(EventCalls.FIND, find);
        if (args.has(Option.JSON)) {
            console.out().println(found.text());
            return Exit.OK;
        }
        var events = new EventText(connection, InstantSource.system().instant());
        for (var hit : found.value().events()) print(hit, events, console);
        var next = found.value().next();
        if (next != null) console.err().println("More: pass --before " + next);
        if (found.value().events().isEmpty() && next == null) {
            console.err().println("Nothing was found.");
        }
        return Exit.OK;
    }

    /** An argument of several words is a phrase. */
    private static String term(String word) {
        if (word.indexOf('"') >= 0 || !word.contains(" ")) return word;
        return word.startsWith("-") ? "-\"" + word.substring(1) + '"' : '"' + word + '"';
    }

    private static void print(EventCalls.Hit hit, EventText events, Console console) {
        var event = hit.event();
        var line =
                "%-6d %s  %-16s %s %s %s"
                        .formatted(
                                event.id(),
                                events.clock(EventText.time(event)),
                                Shown.clean(events.name(event.sessionId())),
                                Shown.clean(event.eventType()),
                                Shown.clean(hit.tool()),
                                sign(hit.status()));
        int columns = console.size().columns();
        console.out().println(Width.cut(line.stripTrailing(), columns));
        if (hit.excerpt().isBlank()) return;
        console.out().println(MARGIN + excerpt(hit, columns - MARGIN.length(), console));
    }

    private static String sign(@Nullable Ending ending) {
        if (ending == null) return "";
        return ending == Ending.OK ? "✓" : "✗";
    }

    /** The excerpt in one line of at most these columns, with the matches in bold. */
    private static String excerpt(EventCalls.Hit hit, int columns, Console console) {
        var line = new StringBuilder();
        int from = 0;
        int left = columns;
        for (var match : hit.matches()) {
            left -= put(hit.excerpt(), from, match.getFirst(), left, line);
            if (console.isColoured()) line.append(BOLD);
            left -= put(hit.excerpt(), match.getFirst(), match.getLast(), left, line);
            if (console.isColoured()) line.append(PLAIN);
            from = match.getLast();
        }
        put(hit.excerpt(), from, hit.excerpt().length(), left, line);
        return line.toString().stripTrailing();
    }

    /** Appends a part of the text in at most these columns; returns how many it took. */
    private static int put(String text, int from, int to, int columns, StringBuilder line) {
        var part = Shown.clean(text.substring(from, to)).replaceAll("\\s+", " ");
        var cut = Width.cut(part, Math.max(0, columns));
        line.append(cut);
        return Width.of(cut);
    }
}
