package dev.coppice.cli.look;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Csv;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Pipe;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Json;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.wire.event.EventView;
import dev.coppice.wire.session.SessionView;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Writes the events of a session or a tree for other programs or for people to read. */
public final class ExportCommand implements Command {
    private static final int PAGE = 1000;

    @Override
    public String name() {
        return "export";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Write the events of a session or a tree to a file",
                List.of("NAME"),
                List.of(
                        Option.of("format", "FORMAT", "jsonl (default), csv or markdown")
                                .among(Format.class),
                        Option.flag("tree", "include all sessions below"),
                        Option.of("out", "FILE", "write to FILE, which must not exist").as("o")),
                """
                'jsonl' has an event on each line, in order; 'csv' the same with the details as
                JSON in one column; 'markdown' is a text with a chapter for each session.

                  coppice export plan --tree --format markdown -o plan.md
                """);
    }

    enum Format {
        JSONL,
        CSV,
        MARKDOWN
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var top = connection.session(args.word(0));
        var format = args.choice("format", Format.JSONL);
        var sessions = args.has("tree") ? Trees.all(connection, top.sessionId()) : List.of(top);
        var out = args.value("out");
        if (out == null) {
            Pipe.watch(console);
            write(connection, sessions, format, console.out());
            return Exit.OK;
        }
        try (var file =
                new PrintStream(
                        Files.newOutputStream(
                                Path.of(out), java.nio.file.StandardOpenOption.CREATE_NEW),
                        false,
                        StandardCharsets.UTF_8)) {
            write(connection, sessions, format, file);
            if (file.checkError()) throw new IOException("the disk may be full");
        } catch (IOException e) {
            throw new UncheckedIOException(out, e);
        }
        return Exit.OK;
    }

    private static void write(
            Connection connection, List<SessionView> sessions, Format format, PrintStream out) {
        switch (format) {
            case JSONL -> events(connection, sessions, e -> out.println(Json.write(e)));
            case CSV -> csv(connection, sessions, out);
            case MARKDOWN -> markdown(connection, sessions, out);
        }
    }

    /** Passes on the events of all these sessions, in the order of their numbers. */
    private static void events(
            Connection connection, List<SessionView> sessions, Consumer<EventView> each) {
        read(connection, sessions.getFirst().sessionId(), sessions.size() > 1, each);
    }

    private static void read(
            Connection connection, String session, boolean isTree, Consumer<EventView> each) {
        @Nullable Long at = 0L;
        while (at != null) {
            var find = new EventCalls.Find(session, at, null, PAGE, isTree);
            var page = connection.call(EventCalls.LIST, find);
            page.events().forEach(each);
            at = page.next() == null ? null : Long.valueOf(page.next());
        }
    }

    private static void csv(Connection connection, List<SessionView> sessions, PrintStream out) {
        var names = names(sessions);
        out.print(
                Csv.line(
                        List.of(
                                "id",
                                "timestamp",
                                "session_id",
                                "session_name",
                                "run_id",
                                "event_type",
                                "details")));
        events(
                connection,
                sessions,
                event ->
                        out.print(
                                Csv.line(
                                        List.of(
                                                Long.toString(event.id()),
                                                event.timestamp(),
                                                event.sessionId(),
                                                names.getOrDefault(event.sessionId(), ""),
                                                event.runId() == null ? "" : event.runId(),
                                                event.eventType(),
                                                Json.write(event.details())))));
    }

    private static Map<String, String> names(List<SessionView> sessions) {
        var names = new HashMap<String, String>();
        sessions.forEach(s -> names.put(s.sessionId(), s.sessionName()));
        return names;
    }

    private static void markdown(
            Connection connection, List<SessionView> sessions, PrintStream out) {
        for (var session : sessions) {
            var times =
                    "%s, %s to %s"
                            .formatted(
                                    session.state(),
                                    session.startedAt() == null
                                            ? "not started"
                                            : session.startedAt(),
                                    session.endedAt() == null ? "now" : session.endedAt());
            out.printf("## %s%n%n`%s`: %s%n%n", session.path(), session.sessionId(), times);
            read(
                    connection,
                    session.sessionId(),
                    false,
                    event ->
                            out.printf(
                                    "- **%s** %s%n%s",
                                    plain(event.eventType()),
                                    plain(event.timestamp()),
                                    quoted(EventText.detail(event))));
            out.println();
        }
    }

    /** A foreign word in one line, without what Markdown reads. */
    private static String plain(String word) {
        return Shown.clean(word).replaceAll("[\\s*_`<>#\\[\\]]+", " ").strip();
    }

    /** Foreign text as a block, so that nothing in it is read as Markdown. */
    private static String quoted(String text) {
        if (text.isBlank()) return "";
        var block = new StringBuilder("\n");
        Shown.clean(text)
                .strip()
                .lines()
                .forEach(line -> block.append("      ").append(line).append('\n'));
        return block.append('\n').toString();
    }
}
