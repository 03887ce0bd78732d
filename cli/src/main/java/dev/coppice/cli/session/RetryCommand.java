package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Usage;
import dev.coppice.cli.wave.WaveCommand;
import dev.coppice.client.Refused;
import dev.coppice.session.StateWord;
import dev.coppice.wire.Json;
import dev.coppice.wire.Patience;
import dev.coppice.wire.look.RelationCalls;
import dev.coppice.wire.look.TreeCalls;
import dev.coppice.wire.run.RunCalls;
import dev.coppice.wire.run.StartedView;
import dev.coppice.wire.session.SessionCalls;
import dev.coppice.wire.session.SessionView;
import dev.coppice.wire.wave.WaveCalls;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts again what has failed. */
public final class RetryCommand implements Command {
    private static final List<String> FAILED = StateWord.FAILED.stream().sorted().toList();
    private static final String FAILED_OF = "failed-of";

    @Override
    public String name() {
        return "retry";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Start ended sessions again, or all that failed in a tree or wave",
                List.of("[NAME]"),
                List.of(
                        Option.of(FAILED_OF, "NAME", "all that failed in this tree or wave"),
                        Option.of("as", "NAME", "the name of the new session")),
                """
                The new session has the same prompt, blueprint and settings, and the same place in
                the tree; on its page it is the continuation of the former one.
                It takes the name; the former one, and those below it that have ended, are called
                NAME~1, so that it can start its children again.
                It has the same budget, but no more than is left above it.

                With --failed-of, a session below another failed one is left out: the one above
                starts it again. So is one that was tried again before.

                  coppice retry draft
                  coppice retry --failed-of plan
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var within = args.value(FAILED_OF);
        if ((within == null) == args.words().isEmpty()) {
            throw new Args.Invalid("pass either NAME or --failed-of TREE");
        }
        if (within == null) {
            var session = connection.session(args.word(0));
            var retry = new RunCalls.Retry(session.sessionId(), args.value("as"));
            var answer = connection.ask(RunCalls.RETRY, retry);
            if (args.has(Option.JSON)) console.out().println(answer.text());
            else console.out().println(said(session, (StartedView) answer.value()));
            return Exit.OK;
        }
        if (args.value("as") != null) {
            throw new Args.Invalid("--as cannot be combined with --failed-of");
        }
        return all(connection, failed(connection, within), args, console);
    }

    private static Exit all(
            Connection connection, List<SessionView> failed, Args args, Console console) {
        boolean areAll = true;
        for (var session : failed) {
            var retry = new RunCalls.Retry(session.sessionId(), null);
            try {
                var answer = connection.ask(RunCalls.RETRY, retry);
                if (args.has(Option.JSON)) console.out().println(Json.write(answer.value()));
                else console.out().println(said(session, (StartedView) answer.value()));
            } catch (Refused e) {
                areAll = false;
                console.err()
                        .println(
                                "coppice: %s: %s"
                                        .formatted(
                                                Shown.clean(session.sessionName()),
                                                Shown.clean(e.getMessage())));
            }
        }
        if (failed.isEmpty()) console.err().println("nothing has failed there, or was tried again");
        return areAll ? Exit.OK : Exit.REFUSED;
    }

    private static String said(SessionView former, StartedView now) {
        return "%s is tried again as %s (%s)"
                .formatted(
                        Shown.clean(former.sessionName()),
                        Shown.clean(now.sessionName()),
                        now.sessionId());
    }

    private static List<SessionView> failed(Connection connection, String within) {
        var all = failedOf(connection, within);
        var ids = all.stream().map(SessionView::sessionId).collect(Collectors.toSet());
        return all.stream()
                .filter(one -> !isContinued(connection, one))
                .filter(one -> above(connection, one).noneMatch(ids::contains))
                .toList();
    }

    private static List<SessionView> failedOf(Connection connection, String within) {
        var named = connection.client().call(SessionCalls.NAMED, new SessionCalls.Named(within));
        var read = connection.client().call(SessionCalls.READ, new SessionCalls.At(within));
        if (named.isGood()) return failedBelow(connection, named.value().session());
        if (read.isGood()) return failedBelow(connection, read.value().session());
        var wave = new WaveCalls.Await(WaveCommand.id(connection, within), Patience.NONE);
        return connection.call(WaveCalls.READ, wave).members().stream()
                .map(WaveCalls.MemberView::sessionId)
                .filter(Objects::nonNull)
                .map(id -> connection.call(SessionCalls.READ, new SessionCalls.At(id)).session())
                .filter(one -> StateWord.FAILED.contains(one.state()))
                .toList();
    }

    private static List<SessionView> failedBelow(Connection connection, SessionView top) {
        return connection.pages(
                SessionCalls.LIST,
                page -> SessionCalls.Find.below(top.sessionId(), FAILED, page),
                SessionCalls.Page::sessions,
                SessionCalls.Page::next);
    }

    /** The ids of the sessions above this one. */
    private static Stream<String> above(Connection connection, SessionView one) {
        if (one.parentSessionId() == null) return Stream.of();
        var path = connection.call(TreeCalls.PATH, new SessionCalls.At(one.sessionId()));
        return path.sessions().stream()
                .map(above -> above.sessionId())
                .filter(id -> !id.equals(one.sessionId()));
    }

    private static boolean isContinued(Connection connection, SessionView session) {
        var at = new SessionCalls.At(session.sessionId());
        return connection.call(RelationCalls.LIST, at).relations().stream()
                .anyMatch(one -> one.type().equals("continuation") && one.side().equals("child"));
    }
}
