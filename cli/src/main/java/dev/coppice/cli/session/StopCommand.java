package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.OnInterrupt;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.client.Pause;
import dev.coppice.kernel.Counted;
import dev.coppice.session.StateWord;
import dev.coppice.wire.Length;
import dev.coppice.wire.Patience;
import dev.coppice.wire.run.StopCalls;
import dev.coppice.wire.session.SessionCalls;
import dev.coppice.wire.session.SessionView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Stops a session. */
public final class StopCommand implements Command {
    private static final String STOPPING = "stopping";
    private static final Duration LOOK = Duration.ofMillis(50);

    /**
     * The time after the deadline for a runner to report a kill, or a silent one to be given up.
     */
    private static final Duration BESIDE_DEADLINE = Duration.ofSeconds(70);

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
                        Option.flag("alone", "stop this session, and what must end with it"),
                        Option.of("deadline", "TIME", "kill processes after TIME (default 5s)"),
                        Option.of("reason", "TEXT", "the reason, shown with its state")),
                """
                If sessions below would end too, names them and asks; without a terminal, pass
                --tree or --alone. Children that were started with --on-parent-end stop or keep
                (the default) end with their parent in any case. Also stops what a session that
                has ended left running. A second stop joins the one that is in progress.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        if (args.has("tree") && args.has("alone")) {
            throw new Args.Invalid("--tree and --alone exclude each other");
        }
        var connection = Connection.open(args, console);
        var session = connection.session(args.word(0));
        var scope = scope(connection, session, args, console);
        if (scope == null) {
            console.err().println("cancelled; nothing was stopped");
            return Exit.REFUSED;
        }
        boolean tree = scope == StopCalls.Scope.TREE;
        var deadline = args.length("deadline");
        var stop =
                new StopCalls.Stop(
                        session.sessionId(),
                        scope,
                        deadline == null ? Length.ofSeconds(5) : deadline,
                        args.value("reason", "Session was manually stopped"),
                        tree ? Connection.PATIENCE : Patience.NONE);
        var name = Shown.clean(session.sessionName());
        try (var _ =
                OnInterrupt.say(
                        console,
                        () ->
                                "%s is still being stopped; 'coppice tree %s' shows it."
                                        .formatted(name, name))) {
            return stopped(connection, session, stop, args, console);
        }
    }

    private static Exit stopped(
            Connection connection,
            SessionView session,
            StopCalls.Stop stop,
            Args args,
            Console console) {
        var answer = connection.ask(StopCalls.STOP, stop);
        if (args.has(Option.JSON)) console.out().println(answer.text());
        return switch (answer.value()) {
            case StopCalls.TreeStopView view -> {
                if (!args.has(Option.JSON)) print(view, console);
                yield view.over() ? Exit.OK : Exit.LATE;
            }
            case StopCalls.SessionStopped stopped -> {
                var now = ended(connection, stopped, stop.deadline());
                if (!args.has(Option.JSON)) console.out().println(said(session, now));
                yield now.equals(STOPPING) ? Exit.LATE : Exit.OK;
            }
        };
    }

    /** Waits until the session has stopped; returns its last state if that takes too long. */
    private static String ended(
            Connection connection, StopCalls.SessionStopped stopped, Length deadline) {
        long until = System.nanoTime() + deadline.value().plus(BESIDE_DEADLINE).toNanos();
        var at = new SessionCalls.At(stopped.sessionId());
        var status = stopped.status();
        try {
            while (status.equals(STOPPING) && System.nanoTime() < until) {
                Pause.of(LOOK);
                status = connection.call(SessionCalls.STATUS, at).status();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return status;
    }

    private static String said(SessionView before, String status) {
        var name = Shown.clean(before.sessionName());
        return StateWord.ALIVE.contains(before.state())
                ? "%s is %s".formatted(name, status)
                : "%s had already ended: %s".formatted(name, before.state().replace('_', ' '));
    }

    /** The scope that was asked for; null if the user cancels. */
    private static StopCalls.@Nullable Scope scope(
            Connection connection, SessionView session, Args args, Console console) {
        if (args.has("tree")) return StopCalls.Scope.TREE;
        if (args.has("alone")) return StopCalls.Scope.SESSION;
        var plan = connection.call(StopCalls.PLAN, new SessionCalls.At(session.sessionId()));
        if (plan.tree().isEmpty()) return StopCalls.Scope.SESSION;
        var name = Shown.clean(session.sessionName());
        if (!console.canAsk()) {
            throw new Args.Invalid(
                    "%s has %s below it (%s); pass --tree or --alone"
                            .formatted(name, live(plan.tree()), names(plan.tree())));
        }
        boolean isLive = StateWord.ALIVE.contains(session.state());
        var state = isLive ? "is " + session.state() : "has ended";
        var only = plan.alone().isEmpty() ? "" : names(plan.alone());
        var question = new StringBuilder();
        question.append("%s %s, with %s below it.%n".formatted(name, state, live(plan.tree())));
        if (plan.alone().size() == plan.tree().size()) {
            // The children end with their parent: both scopes end the same sessions.
            console.err().print(question.append("  ends %s%n".formatted(all(isLive, name, plan))));
            boolean agreed = console.answer("Stop them? [y/N]").startsWith("y");
            return agreed ? StopCalls.Scope.TREE : null;
        }
        question.append("  tree: ends %s%n".formatted(all(isLive, name, plan)));
        question.append("  only: ends %s%n".formatted(alone(isLive ? name : "", only)));
        console.err().print(question);
        return switch (console.answer("Stop the [t]ree, [o]nly this, or [C]ancel?")) {
            case "t", "tree" -> StopCalls.Scope.TREE;
            case "o", "only", "only this" -> StopCalls.Scope.SESSION;
            default -> null;
        };
    }

    private static String all(boolean isLive, String name, StopCalls.Plan plan) {
        return (isLive ? name + ", " : "") + names(plan.tree());
    }

    private static String alone(String name, String others) {
        if (others.isEmpty()) return name.isEmpty() ? "nothing" : name;
        return (name.isEmpty() ? "" : name + ", and with it ") + others;
    }

    private static String live(List<StopCalls.Member> sessions) {
        return Counted.of(sessions.size(), "live session", "live sessions");
    }

    private static String names(List<StopCalls.Member> sessions) {
        return Shown.names(sessions.stream().map(StopCalls.Member::sessionName).toList());
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
        else console.out().print(Table.of(List.of("NAME", "STATE", "REASON"), rows, console));
    }
}
