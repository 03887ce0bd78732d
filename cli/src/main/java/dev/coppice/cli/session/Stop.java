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
import dev.coppice.session.StateWord;
import dev.coppice.wire.Length;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Patience;
import dev.coppice.wire.run.StopCalls;
import dev.coppice.wire.session.SessionCalls;
import dev.coppice.wire.session.SessionView;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Stops a session. */
public final class Stop implements Command {

    @Override
    public String name() {
        return "stop";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Stop a session, or a whole tree",
                List.of("NAME"),
                List.of(
                        Option.flag("tree", "also stop all below it, children before parents"),
                        Option.flag("alone", "stop only this session, without asking"),
                        Option.of("deadline", "TIME", "kill processes after TIME (default 5s)"),
                        Option.of("reason", "TEXT", "the reason, shown with its state")),
                """
                If a root has live children, pass --tree or --alone, or answer the question.
                Children that were started to end with their parent, or to be kept only while
                it is not stopped, are stopped in any case. A second stop joins the one that
                is in progress.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var session = connection.session(args.word(0));
        boolean tree =
                args.has("tree") || (!args.has("alone") && wantsTree(connection, session, console));
        var deadline = args.length("deadline");
        var stop =
                new StopCalls.Stop(
                        session.sessionId(),
                        tree ? StopCalls.Scope.TREE : StopCalls.Scope.SESSION,
                        deadline == null ? Length.ofSeconds(5) : deadline,
                        args.value("reason", "Session was manually stopped"),
                        tree ? Connection.PATIENCE : Patience.NONE);
        var answer = connection.ask(StopCalls.STOP, stop);
        if (args.has(Option.JSON)) console.out().println(answer.body());
        return switch (answer.value()) {
            case StopCalls.TreeStopView view -> {
                if (!args.has(Option.JSON)) print(view, console);
                yield view.over() ? Exit.OK : Exit.LATE;
            }
            case StopCalls.SessionStopped stopped -> {
                if (!args.has(Option.JSON)) {
                    console.out().println("%s is %s".formatted(args.word(0), stopped.status()));
                }
                yield Exit.OK;
            }
        };
    }

    private static boolean wantsTree(Connection connection, SessionView session, Console console) {
        if (session.parentSessionId() != null) return false;
        var find =
                new SessionCalls.Find(
                        StateWord.ALIVE,
                        null,
                        session.sessionId(),
                        null,
                        null,
                        new Paging(null, 1));
        if (connection.call(SessionCalls.LIST, find).sessions().isEmpty()) return false;
        if (!console.isTerminal()) {
            throw new Args.Invalid("the session has live children; pass --tree or --alone");
        }
        console.err().print("The session has live children. Stop the whole tree? [y/N] ");
        console.err().flush();
        return console.line().strip().toLowerCase(Locale.ROOT).startsWith("y");
    }

    private static void print(StopCalls.TreeStopView stop, Console console) {
        var rows = new ArrayList<List<String>>();
        for (var session : stop.sessions()) {
            rows.add(
                    List.of(
                            Shown.clean(session.sessionName()),
                            Shown.state(session.state()),
                            Shown.clean(session.reason())));
        }
        if (rows.isEmpty()) console.out().println("the tree has no live session");
        else console.out().print(Table.of(List.of("NAME", "STATE", "REASON"), rows));
    }
}
