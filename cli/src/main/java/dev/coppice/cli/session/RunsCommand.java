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
import dev.coppice.wire.run.RunCalls;
import dev.coppice.wire.run.RunView;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Lists runs. */
public final class RunsCommand implements Command {
    @Override
    public String name() {
        return "runs";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List the runs of a session, or all runs, newest first",
                List.of("[NAME]"),
                List.of(
                        Option.flag("tree", "include the runs of all sessions below"),
                        Option.of("status", "STATES", "only these states, such as running,failed"),
                        Option.of("limit", "N", "show at most N (default 100)"),
                        Option.of("after", "CURSOR", "show the page after this cursor")),
                """
                A session has a run for its start and one for each time that it was resumed.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var name = args.wordOrNull(0);
        var id = name == null ? null : connection.id(name);
        boolean tree = args.has("tree");
        var find =
                new RunCalls.Find(
                        args.list("status"), tree ? null : id, tree ? id : null, args.page());
        var found = connection.ask(RunCalls.LIST, find);
        if (args.has(Option.JSON)) {
            console.out().println(found.text());
            return Exit.OK;
        }
        var now = InstantSource.system().instant();
        var rows = found.value().runs().stream().map(run -> row(run, now)).toList();
        console.out().print(Table.of(HEADINGS, rows, console));
        Table.more(found.value().next(), console);
        return Exit.OK;
    }

    private static final List<String> HEADINGS =
            List.of("RUN", "SESSION", "STATE", "TIME", "KIND", "BLUEPRINT", "ERROR");

    private static List<String> row(RunView run, Instant now) {
        var until = run.completedAt() == null ? now : Instant.parse(run.completedAt());
        var from = run.startedAt() == null ? run.createdAt() : run.startedAt();
        return List.of(
                run.runId(),
                Shown.clean(run.sessionName()),
                Shown.state(run.state()),
                Shown.length(Duration.between(Instant.parse(from), until)),
                run.type().equals("start_session") ? "start" : "resume",
                Shown.clean(run.agentName()),
                Shown.line(run.error()));
    }
}
