package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.wire.Patience;
import dev.coppice.wire.run.RunAnswer;
import dev.coppice.wire.run.RunCalls;
import dev.coppice.wire.run.RunGone;
import dev.coppice.wire.run.RunView;
import dev.coppice.wire.run.StartedView;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;

/** Waits for a run to end and prints its result. */
final class Waiting {
    private static final Patience DAY = Patience.of(Duration.ofDays(1));

    private Waiting() {}

    static Exit untilOver(Connection connection, String runId, Args args, Console console) {
        var ended = outcome(connection, runId);
        return printed(ended, true, args, console);
    }

    /** The end of a run, and the coordinator's answer about it. */
    record Ended(JsonNode body, Outcome outcome) {}

    record Outcome(String state, @Nullable String text, @Nullable String error) {
        static Outcome of(RunView ended) {
            var text = ended.resultText();
            var data = ended.resultData();
            if (text == null && data != null && !data.isNull()) text = data.toString();
            return new Outcome(ended.state(), text, ended.error());
        }
    }

    static Ended outcome(Connection connection, String runId) {
        var await = new RunCalls.Await(runId, DAY);
        // The coordinator does the waiting; the loop asks again only after its restart.
        while (true) {
            var answer = connection.client().callPatiently(RunCalls.READ, await);
            var outcome = outcome(answer.value());
            if (outcome != null) return new Ended(answer.body(), outcome);
        }
    }

    private static @Nullable Outcome outcome(RunAnswer answer) {
        return switch (answer) {
            case RunView run when run.completedAt() != null -> Outcome.of(run);
            case RunGone gone -> new Outcome(gone.state(), null, gone.error());
            case RunView _, StartedView _ -> null;
        };
    }

    /** Prints how a run ended, with its result unless that is on the screen. */
    static Exit printed(Ended ended, boolean withResult, Args args, Console console) {
        var run = ended.outcome();
        if (args.has(Option.JSON)) {
            console.out().println(ended.body());
            return Exit.ofRun(run.state());
        }
        var text = withResult ? run.text() : null;
        if (text != null) {
            console.out().print(text.endsWith("\n") || text.isEmpty() ? text : text + "\n");
        }
        if (run.error() != null) {
            console.err()
                    .println(
                            "coppice: the run %s: %s"
                                    .formatted(
                                            run.state().replace('_', ' '),
                                            Shown.clean(run.error())));
        }
        return Exit.ofRun(run.state());
    }
}
