package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.OnInterrupt;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.StatusLine;
import dev.coppice.client.Answer;
import dev.coppice.client.Refused;
import dev.coppice.wire.run.RunAnswer;
import dev.coppice.wire.run.RunCalls;
import dev.coppice.wire.run.StartRunRequest;
import dev.coppice.wire.run.StartedView;
import dev.coppice.word.ExecutionMode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** The parts that start and resume share: the prompt, the mode, and the wait for the result. */
final class RunOrder {
    static final List<Option> OPTIONS =
            List.of(
                    Option.of(
                                    "prompt",
                                    "TEXT",
                                    "the prompt; without it, or with '-', standard input")
                            .as("p"),
                    Option.of(
                                    "mode",
                                    "MODE",
                                    "sync (wait for the result; default), async_poll or"
                                            + " async_callback")
                            .among(ExecutionMode.class));

    private RunOrder() {}

    static ExecutionMode mode(Args args) {
        return args.choice("mode", ExecutionMode.SYNC);
    }

    static String prompt(Args args, Console console) {
        var prompt = args.value("prompt");
        if (prompt != null && !prompt.equals("-")) return prompt;
        if (console.canAsk()) {
            console.err()
                    .println("Type the prompt, and Ctrl-D on an empty line; or pass -p 'PROMPT'.");
        }
        try {
            return new String(console.in().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("reading the prompt from standard input", e);
        }
    }

    /**
     * Starts or resumes, and waits unless the mode says otherwise.
     *
     * @param isNameMade whether to tell the name, because nobody gave it
     */
    static Exit placed(
            Connection connection,
            StartRunRequest request,
            boolean isNameMade,
            Args args,
            Console console) {
        var name = request.sessionName() == null ? request.sessionId() : request.sessionName();
        var isStarted = new AtomicBoolean();
        var said = Shown.clean(name);
        var status = new StatusLine(console);
        var onInterrupt =
                OnInterrupt.say(
                        console,
                        () -> {
                            status.close();
                            var condition = isStarted.get() ? "" : ", if it started";
                            return ("%s goes on%s. 'coppice wait %s' waits for it again,"
                                            + " 'coppice stop %s' stops it.")
                                    .formatted(said, condition, said, said);
                        });
        try (onInterrupt;
                status) {
            var started = asked(connection, request, isNameMade);
            isStarted.set(true);
            var view = (StartedView) started.value();
            if (isNameMade && !args.has(Option.JSON)) {
                console.err().println("coppice: its name is " + Shown.clean(view.sessionName()));
            }
            if (request.executionMode() == ExecutionMode.SYNC) {
                if (args.has(Option.JSON) || !(console.isWatched() || args.has("follow"))) {
                    return Waiting.untilOver(connection, view.runId(), args, console);
                }
                return watched(new LiveRun(connection, view, console, status), args, console);
            }
            console.out().println(args.has(Option.JSON) ? started.text() : view.sessionId());
            return Exit.OK;
        }
    }

    /** A name that was made may be taken meanwhile, or by a session that the caller cannot see. */
    private static Answer<RunAnswer> asked(
            Connection connection, StartRunRequest request, boolean isNameMade) {
        try {
            return connection.ask(RunCalls.START, request);
        } catch (Refused e) {
            var code = e.problem().code();
            if (isNameMade && "name_taken".equals(code)) {
                return connection.ask(RunCalls.START, request.named(null));
            }
            var prompt = request.prompt();
            boolean isMissing = prompt != null && prompt.isBlank();
            if (!isMissing || !"parameters_invalid".equals(code)) throw e;
            throw new Args.Invalid("the prompt is missing: pass -p 'PROMPT', or pipe it in");
        }
    }

    private static Exit watched(LiveRun run, Args args, Console console) {
        try {
            var seen = run.untilOver();
            return Waiting.printed(seen.ended(), !seen.isResultShown(), args, console);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Exit.INTERRUPTED;
        }
    }
}
