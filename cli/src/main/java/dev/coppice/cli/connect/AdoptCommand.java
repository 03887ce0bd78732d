package dev.coppice.cli.connect;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.runner.Runner;
import dev.coppice.runner.outside.ProgramSession;
import dev.coppice.runner.outside.RunningProgram;
import dev.coppice.runner.process.ForeignProcess;
import dev.coppice.wire.Json;
import dev.coppice.wire.Shape;
import dev.coppice.wire.fleet.ProcessCalls;
import dev.coppice.wire.fleet.ProcessCalls.ProcessView;
import dev.coppice.wire.observe.HookCalls.Program;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lists agent programs of this machine that are in no tree, and takes them into one. */
public final class AdoptCommand implements Command {
    @Override
    public String name() {
        return "adopt";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List running agents that stand in no tree, and take them in",
                List.of("[PID…]"),
                List.of(
                        Option.flag("stop", "let a stop of the session end the process, too"),
                        Option.of("below", "NAME", "place a new session under this one"),
                        Option.of(
                                "project-dir",
                                "DIR",
                                "its directory, if this machine does not tell"),
                        Option.flag("all", "list: also those that stand in a tree")),
                """
                Finds claude, codex, cursor-agent, gemini and opencode by the processes of this
                machine. An adopted one has a session: its process and its directory are watched,
                a removal shows and preserves its unsaved work, and the session ends with the
                process. An agent that another one started is placed below it. What Claude Code
                and Codex have used so far is counted from their transcripts. See also
                'coppice connect', with which later sessions stand in a tree from their start.

                Without --stop, nothing ends the process. To change that, adopt it again.

                  coppice adopt
                  coppice adopt 4711 --stop
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var known = new HashMap<Long, ProcessView>();
        var all =
                connection.pages(
                        ProcessCalls.LIST,
                        page -> new ProcessCalls.Find(null, page),
                        ProcessCalls.Page::processes,
                        ProcessCalls.Page::next);
        for (var one : all) {
            if (isStillThere(one)) known.put(one.pid(), one);
        }
        if (args.words().isEmpty()) list(known, args, console);
        else for (var pid : args.words()) adopt(pid, known, connection, args, console);
        return Exit.OK;
    }

    /** False for an earlier process with the same id, and for those of other machines. */
    private static boolean isStillThere(ProcessView process) {
        var start = process.start();
        return process.hostname().equals(Runner.hostname())
                && (start == null
                        || ForeignProcess.start(process.pid()).filter(start::equals).isPresent());
    }

    private static void list(Map<Long, ProcessView> known, Args args, Console console) {
        var all = RunningProgram.all();
        var shown =
                all.stream()
                        .filter(one -> args.has("all") || isOutside(one, known))
                        .map(one -> Line.of(one, known.get(one.pid())))
                        .toList();
        if (args.has(Option.JSON)) {
            console.out().println(Json.write(Map.of("programs", shown)));
            return;
        }
        int inside = (int) all.stream().filter(one -> !isOutside(one, known)).count();
        if (shown.isEmpty()) {
            console.out().println("No agent program that runs here stands outside of a tree.");
        } else {
            var headings = List.of("PID", "PROGRAM", "AGE", "DIRECTORY", "SESSION");
            // Programs in no tree have no session.
            int columns = args.has("all") ? headings.size() : headings.size() - 1;
            headings = headings.subList(0, columns);
            var rows = shown.stream().map(line -> line.row().subList(0, columns)).toList();
            console.out().print(Table.of(headings, rows, console));
            console.err().println("Take one in: coppice adopt PID");
        }
        if (inside > 0 && !args.has("all")) {
            console.err().println("%d in trees; --all lists them, too".formatted(inside));
        }
    }

    private static boolean isOutside(RunningProgram one, Map<Long, ProcessView> known) {
        return !one.isOfRun() && !known.containsKey(one.pid());
    }

    /** A program, as the list shows it. */
    private record Line(
            long pid,
            String program,
            String startedAt,
            @Nullable String directory,
            @Nullable Long startedBy,
            @Nullable String session) {
        static Line of(RunningProgram running, @Nullable ProcessView known) {
            var run = running.isOfRun() ? "(of a run)" : null;
            return new Line(
                    running.pid(),
                    named(running.program()),
                    running.started().toString(),
                    running.directory() == null ? null : running.directory().toString(),
                    running.above(),
                    known == null ? run : known.sessionName());
        }

        List<String> row() {
            var age = Duration.between(Instant.parse(startedAt), InstantSource.system().instant());
            return List.of(
                    Long.toString(pid),
                    program,
                    Shown.length(age.isNegative() ? Duration.ZERO : age),
                    directory == null ? "?" : Shown.line(directory),
                    session == null ? "" : Shown.line(session));
        }
    }

    private static void adopt(
            String word,
            Map<Long, ProcessView> known,
            Connection connection,
            Args args,
            Console console) {
        var running = running(word);
        var directory = directory(running, args);
        var session = ProgramSession.of(running);
        var before = known.get(running.pid());
        var above = running.above() == null ? null : known.get(running.above());
        var below = args.value("below");
        var parent =
                below != null ? connection.id(below) : above == null ? null : above.sessionId();
        var transcript = session.transcript();
        var adopted =
                connection.call(
                        ProcessCalls.ADOPT,
                        new ProcessCalls.Adopt(
                                running.program(),
                                Runner.hostname(),
                                running.pid(),
                                running.start(),
                                directory,
                                before == null ? session.id() : before.sessionId(),
                                transcript == null ? null : transcript.toString(),
                                before == null ? parent : null,
                                null,
                                args.has("stop")));
        known.put(running.pid(), adopted.process());
        if (args.has(Option.JSON)) {
            console.out().println(Json.write(adopted));
            return;
        }
        var name = Shown.clean(adopted.session().sessionName());
        console.out()
                .println(
                        "%s %d is session %s; 'coppice stop %s' %s"
                                .formatted(
                                        named(running.program()),
                                        running.pid(),
                                        name,
                                        name,
                                        adopted.process().mayStop()
                                                ? "ends it"
                                                : "leaves its process alone (see --stop)"));
    }

    /** The program as 'coppice connect' calls it. */
    private static String named(Program program) {
        return Shape.word(program).replace('_', '-');
    }

    private static RunningProgram running(String word) {
        long pid;
        try {
            pid = Long.parseLong(word);
        } catch (NumberFormatException _) {
            throw new Args.Invalid(
                    "'%s' is no process id; 'coppice adopt' lists them".formatted(word));
        }
        var found = RunningProgram.all().stream().filter(one -> one.pid() == pid).findFirst();
        if (found.isEmpty()) {
            throw new Args.Invalid(
                    "process %d is no agent program that is known here; 'coppice adopt' lists them"
                            .formatted(pid));
        }
        if (found.get().isOfRun()) {
            throw new Args.Invalid(
                    "process %d belongs to a run, so it stands in a tree already".formatted(pid));
        }
        return found.get();
    }

    private static String directory(RunningProgram running, Args args) {
        var given = args.value("project-dir");
        if (given != null) return Path.of(given).toAbsolutePath().normalize().toString();
        if (running.directory() != null) return running.directory().toString();
        throw new Args.Invalid(
                "this machine does not tell in which directory process %d works; pass --project-dir"
                        .formatted(running.pid()));
    }
}
