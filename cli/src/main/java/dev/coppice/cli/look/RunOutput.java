package dev.coppice.cli.look;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.client.Pause;
import dev.coppice.wire.Json;
import dev.coppice.wire.Patience;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.run.OutputView;
import dev.coppice.wire.run.RunCalls;

import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Set;

/** Prints the output of runs, once or until they end. */
final class RunOutput {
    private static final Patience WAIT = Patience.of(Duration.ofSeconds(20));
    private static final Set<String> WITHOUT_RUNNER = Set.of("queued", "hooked");
    private static final Duration QUEUED = Duration.ofMillis(300);

    /** The bytes in which --tail looks for lines. */
    private static final long TAIL_BYTES = Sizes.OUTPUT_PART_BYTES_MAX;

    private final Connection connection;
    private final Console console;
    private final boolean isFollowing;
    private final boolean isJson;
    private final @Nullable Long tail;

    RunOutput(Connection connection, Args args, Console console) {
        this.connection = connection;
        this.console = console;
        this.isFollowing = args.has("follow");
        this.isJson = args.has(Option.JSON);
        this.tail = args.number("tail");
        if (tail != null && tail < 0) {
            throw new Args.Invalid("--tail is '%d'; it must be a number of lines".formatted(tail));
        }
    }

    /**
     * Prints the output of a run, each line behind the name if there is one; false if it cannot.
     */
    boolean print(String run, @Nullable String name) throws InterruptedException {
        var out = new Stream("stdout", run, name, console.out());
        var err = new Stream("stderr", run, name, console.err());
        while (true) {
            var read =
                    new RunCalls.ReadOutput(
                            run,
                            out.next,
                            err.next,
                            Sizes.OUTPUT_PART_BYTES_MAX,
                            isFollowing && out.isUnderWay ? WAIT : Patience.NONE);
            var part = connection.client().callPatiently(RunCalls.OUTPUT, read);
            if (!part.isGood()) throw new dev.coppice.client.Refused(part.problem());
            var view = part.value();
            if (view.unavailable() != null) {
                console.err()
                        .println(
                                "coppice: no output of %s: %s"
                                        .formatted(run, Shown.clean(view.unavailable())));
                return false;
            }
            boolean moreOut = out.print(view.stdout());
            boolean moreErr = err.print(view.stderr());
            boolean more = moreOut || moreErr;
            if (!more && (view.ended() || !isFollowing)) {
                out.end();
                err.end();
                if (name == null && view.ended() && out.next + err.next == 0) sayNothing();
                return true;
            }
            // Without a runner, no request can wait there for output.
            if (WITHOUT_RUNNER.contains(view.state())) Pause.of(QUEUED);
        }
    }

    private void sayNothing() {
        console.err()
                .println("coppice: the program printed nothing; 'coppice events' has its reports");
    }

    /** One of the two streams of a run, up to the last part that was printed. */
    private final class Stream {
        private final String stream;
        private final String run;
        private final @Nullable String name;
        private final PrintStream to;
        private final StringBuilder line = new StringBuilder();
        private long next = tail == null ? 0 : -TAIL_BYTES;
        private boolean isUnderWay = tail == null;

        Stream(String stream, String run, @Nullable String name, PrintStream to) {
            this.stream = stream;
            this.run = run;
            this.name = name;
            this.to = to;
        }

        /** Prints a part; true if the stream has more at present. */
        boolean print(OutputView.@Nullable Part part) {
            if (part == null) return false;
            var text = part.text();
            if (!isUnderWay && tail != null) text = lastLines(text, tail);
            isUnderWay = true;
            next = part.next();
            if (!text.isEmpty()) print(text);
            return part.next() < part.size();
        }

        private void print(String text) {
            if (isJson) {
                var part = new JsonPart(name, run, stream, text);
                synchronized (console) {
                    console.out().println(Json.write(part));
                }
            } else if (name == null) {
                to.print(text);
                to.flush();
            } else {
                line.append(text);
                int end = line.lastIndexOf("\n");
                if (end < 0) return;
                lines(line.substring(0, end));
                line.delete(0, end + 1);
            }
        }

        private void lines(String text) {
            var prefixed = new StringBuilder();
            for (var one : text.split("\n", -1)) {
                prefixed.append(Shown.clean(name)).append(" │ ").append(one).append('\n');
            }
            synchronized (console) {
                to.print(prefixed);
                to.flush();
            }
        }

        void end() {
            if (!line.isEmpty()) lines(line.toString());
            line.setLength(0);
        }
    }

    private record JsonPart(
            @Nullable String sessionName, String runId, String stream, String text) {}

    private static String lastLines(String text, long lines) {
        if (lines == 0) return "";
        int at = text.endsWith("\n") ? text.length() - 1 : text.length();
        for (long i = 0; i < lines && at >= 0; i++) at = text.lastIndexOf('\n', at - 1);
        return at < 0 ? text : text.substring(at + 1);
    }
}
