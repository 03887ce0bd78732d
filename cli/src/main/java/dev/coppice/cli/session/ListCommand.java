package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Format;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Screen;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Json;
import dev.coppice.wire.session.SessionCalls;
import dev.coppice.wire.session.SessionView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Lists sessions. */
public final class ListCommand implements Command {
    /** The clocks of two machines differ, and requests take a while. */
    private static final Duration LEEWAY = Duration.ofMinutes(5);

    @Override
    public String name() {
        return "list";
    }

    @Override
    public Usage usage() {
        var options = new ArrayList<Option>();
        options.add(Option.of("state", "STATES", "only these states: running,failed, or asking"));
        options.add(Option.of("status", "STATES", "the same as --state"));
        options.add(Option.of("tree", "NAME", "only this session and all below it"));
        options.add(Option.of("agent", "BLUEPRINT", "only those of this blueprint"));
        options.add(Option.of("host", "HOST", "only those that last ran on this host"));
        options.add(Option.of("since", "TIME", "only those created within this time, such as 1h"));
        options.add(Option.of("name", "PREFIX", "only names with this prefix"));
        options.add(
                Option.of(
                        "sort",
                        "COLUMN",
                        "by name, state, age, took or blueprint (-age: reversed)"));
        options.add(Option.flag("watch", "redraw it every two seconds, until Ctrl-C").as("w"));
        options.addAll(Format.OPTIONS);
        options.add(Option.of("limit", "N", "show at most N (default 100)"));
        options.add(Option.of("after", "CURSOR", "show the page after this cursor"));
        return Usage.of(
                "List sessions, newest first",
                List.of(),
                options,
                """
                AGE counts from the creation of a session, TOOK from its start to its end. With
                -o wide, also what each does. --sort orders what is shown, not what is asked for.
                'coppice ps' and 'coppice ls' are the same.

                  coppice list --state asking
                  coppice list --agent claude --since 1h -o wide
                  coppice list -o '{session_name} {state} {headline.text}'
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var format = Format.of(args, "session_name");
        var sort = Sort.of(args.value("sort"));
        var connection = Connection.open(args, console);
        var tree = args.value("tree");
        var root = tree == null ? null : connection.id(tree);
        if (args.has("watch") && console.isWatched() && format instanceof Format.Rows rows) {
            return Screen.watch(
                    console,
                    () -> {
                        var answer = connection.call(SessionCalls.LIST, find(args, root));
                        return table(
                                sort.of(asked(answer.sessions(), args)), rows.isWide(), console);
                    });
        }
        var page = connection.ask(SessionCalls.LIST, find(args, root));
        var sessions = sort.of(asked(page.value().sessions(), args));
        switch (format) {
            case Format.Rows rows -> console.out().print(table(sessions, rows.isWide(), console));
            case Format.Filled filled ->
                    sessions.forEach(s -> console.out().println(filled.of(Json.tree(s))));
            case Format.Whole whole -> console.out().print(whole.of(page.body()));
        }
        Table.more(page.value().next(), console);
        return Exit.OK;
    }

    private static SessionCalls.Find find(Args args, @Nullable String root) {
        var states = args.list("state");
        var since = args.length("since");
        return new SessionCalls.Find(
                states == null ? args.list("status") : states,
                root,
                null,
                null,
                args.value("name"),
                null,
                null,
                args.value("agent"),
                args.value("host"),
                since == null
                        ? null
                        : InstantSource.system().instant().minus(since.value()).toString(),
                !args.has("quiet"),
                args.page());
    }

    /** Narrows the answer again: an older coordinator does not know each filter. */
    private static List<SessionView> asked(List<SessionView> answered, Args args) {
        var now = InstantSource.system().instant();
        var since = args.length("since");
        var oldest = since == null ? null : since.value().plus(LEEWAY);
        return answered.stream()
                .filter(s -> isAsked(args.value("agent"), s.agentName()))
                .filter(s -> isAsked(args.value("host"), s.hostname()))
                .filter(s -> oldest == null || Shown.since(s, now).compareTo(oldest) <= 0)
                .toList();
    }

    private static boolean isAsked(@Nullable String wanted, @Nullable String is) {
        return wanted == null || wanted.equals(is);
    }

    /** The order of the rows: as the coordinator lists them, or by a column. */
    private record Sort(@Nullable String column, boolean isReversed) {
        private static final List<String> COLUMNS =
                List.of("name", "state", "age", "took", "blueprint");

        static Sort of(@Nullable String asked) {
            if (asked == null) return new Sort(null, false);
            boolean isReversed = asked.startsWith("-");
            var column = isReversed ? asked.substring(1) : asked;
            if (COLUMNS.contains(column)) return new Sort(column, isReversed);
            throw Args.Invalid.near(
                    "--sort is '%s'; it must be one of %s"
                            .formatted(asked, String.join(", ", COLUMNS)),
                    column,
                    COLUMNS);
        }

        List<SessionView> of(List<SessionView> sessions) {
            if (column == null) return sessions;
            var now = InstantSource.system().instant();
            Comparator<SessionView> order =
                    switch (column) {
                        case "name" -> Comparator.comparing(SessionView::sessionName);
                        case "state" -> Comparator.comparing(Shown::stateOf);
                        case "took" -> Comparator.comparing(s -> Shown.took(s, now));
                        case "blueprint" -> Comparator.comparing(s -> Shown.clean(s.agentName()));
                        default -> Comparator.comparing(s -> Shown.since(s, now));
                    };
            return sessions.stream().sorted(isReversed ? order.reversed() : order).toList();
        }
    }

    static String table(List<SessionView> sessions, boolean isWide, Console console) {
        var now = InstantSource.system().instant();
        var rows = new ArrayList<List<String>>();
        for (var session : sessions) rows.add(row(session, isWide, now));
        var headings =
                isWide
                        ? List.of(
                                "NAME",
                                "STATE",
                                "AGE",
                                "TOOK",
                                "BLUEPRINT",
                                "PARENT",
                                "HOST",
                                "ID",
                                "DOING")
                        : List.of("NAME", "STATE", "AGE", "TOOK", "BLUEPRINT", "PARENT", "ID");
        return Table.of(headings, rows, console);
    }

    private static List<String> row(SessionView session, boolean isWide, Instant now) {
        var cells = new ArrayList<String>();
        cells.add(Shown.clean(session.sessionName()));
        cells.add(Shown.state(Shown.stateOf(session)));
        cells.add(Shown.length(Shown.since(session, now)));
        cells.add(session.startedAt() == null ? "" : Shown.age(session, now));
        cells.add(Shown.clean(session.agentName()));
        cells.add(Shown.clean(session.parentSessionName()));
        if (isWide) cells.add(Shown.clean(session.hostname()));
        cells.add(Shown.clean(session.sessionId()));
        if (isWide) cells.add(Shown.headline(session.headline()));
        return cells;
    }
}
