package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Usage;
import dev.coppice.thread.Threads;
import dev.coppice.wire.Json;
import dev.coppice.wire.session.SessionView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Waits until the runs of sessions have ended. */
public final class WaitCommand implements Command {
    private static final Duration FOREVER = Duration.ofDays(365);

    @Override
    public String name() {
        return "wait";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Wait until sessions have ended",
                List.of("NAME…"),
                List.of(
                        Option.flag("any", "wait only for the first of them to end"),
                        Option.of("timeout", "TIME", "give up after TIME, with exit code 10")),
                """
                Waits for the last run of each session, and prints each session as its run
                ends. Exits with the code of the first run that did not finish; with --any
                with that of the first run that ended. 'coppice join' wakes an agent instead.
                At a terminal, it also tells what the sessions and those below them ask.

                  coppice wait test lint docs
                  coppice wait test lint --any --timeout 10m
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var runs = new LinkedHashMap<String, String>();
        var awaited = new ArrayList<SessionView>();
        var ended = new LinkedBlockingQueue<Ended>();
        for (var name : args.words()) {
            var session = connection.session(name);
            var last = LastRun.of(connection, session);
            var run = last.runId();
            if (runs.put(run, session.sessionName()) != null) continue;
            if (last.completedAt() != null) {
                ended.add(new Ended(run, Waiting.Outcome.of(last), null));
            } else {
                awaited.add(session);
                Threads.virtual(run).start(() -> ended.add(ended(connection, run)));
            }
        }
        try {
            var asking = new QuestionNews(connection, awaited);
            if (console.canAsk() && !awaited.isEmpty()) {
                Threads.virtual("questions").start(() -> listen(asking, console));
            }
            return await(args, console, runs, ended);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Exit.INTERRUPTED;
        }
    }

    /** Tells a person at the terminal what the sessions ask. Ends with the command. */
    private static void listen(QuestionNews asking, Console console) {
        try {
            asking.tell(console.err()::println, () -> false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A run that has ended, or the failure of the wait for it. */
    private record Ended(
            String run, Waiting.@Nullable Outcome outcome, @Nullable RuntimeException failure) {}

    private static Ended ended(Connection connection, String run) {
        try {
            return new Ended(run, Waiting.outcome(connection, run).outcome(), null);
        } catch (RuntimeException e) {
            return new Ended(run, null, e);
        }
    }

    private static Exit await(
            Args args, Console console, Map<String, String> names, BlockingQueue<Ended> queue)
            throws InterruptedException {
        var timeout = args.length("timeout");
        var patience = timeout == null ? FOREVER : timeout.value();
        // Nanoseconds count up to 292 years.
        if (patience.compareTo(FOREVER) > 0) patience = FOREVER;
        long until = System.nanoTime() + patience.toNanos();
        var states = new LinkedHashMap<String, @Nullable String>();
        names.keySet().forEach(run -> states.put(run, null));
        for (int i = 0; i < (args.has("any") ? 1 : names.size()); i++) {
            var next = queue.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (next == null) return late(console, states, names);
            if (next.failure() != null) throw next.failure();
            var outcome = java.util.Objects.requireNonNull(next.outcome());
            states.put(next.run(), outcome.state());
            print(args, console, String.valueOf(names.get(next.run())), next.run(), outcome);
            if (args.has("any")) return Exit.ofRun(outcome.state());
        }
        return states.values().stream()
                .map(state -> Exit.ofRun(String.valueOf(state)))
                .filter(exit -> exit != Exit.OK)
                .findFirst()
                .orElse(Exit.OK);
    }

    private record Line(String sessionName, String runId, String state, @Nullable String error) {}

    private static void print(
            Args args, Console console, String name, String run, Waiting.Outcome outcome) {
        if (args.has(Option.JSON)) {
            console.out()
                    .println(Json.write(new Line(name, run, outcome.state(), outcome.error())));
            return;
        }
        var why = Shown.line(outcome.error());
        console.out()
                .println(
                        "%s  %s%s"
                                .formatted(
                                        Shown.clean(name),
                                        Shown.state(outcome.state()),
                                        why.isEmpty() ? "" : "  " + why));
    }

    private static Exit late(
            Console console, Map<String, @Nullable String> states, Map<String, String> names) {
        var live = new java.util.ArrayList<String>();
        states.forEach((run, state) -> {
            if (state == null) live.add(Shown.clean(names.get(run)));
        });
        console.err().println("coppice: still at work: " + String.join(", ", live));
        return Exit.LATE;
    }
}
