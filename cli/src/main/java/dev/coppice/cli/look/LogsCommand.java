package dev.coppice.cli.look;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Pipe;
import dev.coppice.cli.engine.Usage;
import dev.coppice.cli.session.LastRun;
import dev.coppice.client.Pause;
import dev.coppice.session.StateWord;
import dev.coppice.thread.Threads;
import dev.coppice.wire.run.RunCalls;
import dev.coppice.wire.run.RunView;
import dev.coppice.wire.session.SessionView;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Prints the output of a session's program. */
public final class LogsCommand implements Command {
    private static final Duration LOOK = Duration.ofSeconds(1);

    @Override
    public String name() {
        return "logs";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Print the output of a session's program, or follow it",
                List.of("NAME"),
                List.of(
                        Option.flag("follow", "keep printing new output until the run ends")
                                .as("f"),
                        Option.flag("tree", "include all sessions below; each line has a name"),
                        Option.of("tail", "N", "begin with the last N lines of each stream")
                                .as("n"),
                        Option.of("run", "RUN", "an earlier run; 'coppice runs NAME' lists them")),
                """
                Prints the output of the last run: standard output and standard error, each to
                the same stream here. The output stays with the runner, also of ended runs,
                until the session is purged.

                  coppice logs plan -f
                  coppice logs plan --tree -f --tail 5
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var top = connection.session(args.word(0));
        var output = new RunOutput(connection, args, console);
        if (args.has("follow")) Pipe.watch(console);
        try {
            if (args.has("tree")) return tree(connection, top, output, args);
            var asked = args.value("run");
            var run = asked == null ? LastRun.of(connection, top).runId() : asked;
            return output.print(run, null) ? Exit.OK : Exit.REFUSED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Exit.INTERRUPTED;
        }
    }

    private static Exit tree(Connection connection, SessionView top, RunOutput output, Args args)
            throws InterruptedException {
        if (args.value("run") != null)
            throw new Args.Invalid("--run cannot be combined with --tree");
        var begun = new HashSet<String>();
        if (args.has("follow")) return follow(connection, top, output, begun);
        boolean all = true;
        for (var session : Trees.sessions(connection, top.sessionId())) {
            var run = LastRun.ifAny(connection, session);
            if (run.isPresent()) all &= output.print(run.get().runId(), session.sessionName());
        }
        return all ? Exit.OK : Exit.REFUSED;
    }

    /** Follows live runs, and those that begin later, until no session of the tree is live. */
    private static Exit follow(
            Connection connection, SessionView top, RunOutput output, Set<String> begun)
            throws InterruptedException {
        var threads = new ArrayList<Thread>();
        while (true) {
            // Read the states first: a run that begins later belongs to a session that is live now.
            boolean isLive =
                    Trees.sessions(connection, top.sessionId()).stream()
                            .anyMatch(s -> StateWord.ALIVE.contains(s.state()));
            for (var run : runs(connection, top)) {
                if (!begun.add(run.runId())) continue;
                threads.add(Threads.virtual(run.runId()).start(() -> print(output, run)));
            }
            threads.removeIf(thread -> !thread.isAlive());
            if (!isLive && threads.isEmpty()) return Exit.OK;
            Pause.of(LOOK);
        }
    }

    private static void print(RunOutput output, RunView run) {
        try {
            output.print(run.runId(), run.sessionName());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<RunView> runs(Connection connection, SessionView top) {
        return connection
                .pages(
                        RunCalls.LIST,
                        page -> new RunCalls.Find(null, null, top.sessionId(), page),
                        RunCalls.Page::runs,
                        RunCalls.Page::next)
                .reversed();
    }
}
