package dev.coppice.cli.look;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.session.RunReading;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.io.PrintStream;

/** Prints the output of runs, once or until they end. */
final class RunOutput {
    private final RunReading reading;
    private final Console console;
    private final boolean isJson;

    RunOutput(Connection connection, Args args, Console console) {
        var tail = args.number("tail");
        var until = args.has("follow") ? RunReading.Until.UNANSWERED : RunReading.Until.NOW;
        this.reading = new RunReading(connection.client(), until, tail);
        this.console = console;
        this.isJson = args.has(Option.JSON);
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
        var end = reading.read(run, out::print, err::print);
        out.end();
        err.end();
        if (end.unavailable() != null) {
            console.err()
                    .println(
                            "coppice: no output of %s: %s"
                                    .formatted(run, Shown.clean(end.unavailable())));
            return false;
        }
        if (name == null && end.isOver() && end.bytes() == 0) sayNothing();
        return true;
    }

    private void sayNothing() {
        console.err()
                .println("coppice: the program printed nothing; 'coppice events' has its reports");
    }

    /** One of the two streams of a run. */
    private final class Stream {
        private final String stream;
        private final String run;
        private final @Nullable String name;
        private final PrintStream to;
        private final StringBuilder line = new StringBuilder();
        private boolean isInLine;

        Stream(String stream, String run, @Nullable String name, PrintStream to) {
            this.stream = stream;
            this.run = run;
            this.name = name;
            this.to = to;
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
                isInLine = !text.endsWith("\n");
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

        /** Prints what is left, and on a terminal the end of a last line that has none. */
        void end() {
            if (isInLine && console.isWatched()) to.println();
            if (!line.isEmpty()) lines(line.toString());
            line.setLength(0);
        }
    }

    private record JsonPart(
            @Nullable String sessionName, String runId, String stream, String text) {}
}
