package dev.coppice.cli.session;

import dev.coppice.blueprint.Blueprint;
import dev.coppice.blueprints.BlueprintText;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.StatusLine;
import dev.coppice.cli.engine.Terminal;
import dev.coppice.client.Pause;
import dev.coppice.thread.Threads;
import dev.coppice.wire.Json;
import dev.coppice.wire.Reason;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.blueprint.BlueprintCalls;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.wire.event.EventView;
import dev.coppice.wire.event.Saying;
import dev.coppice.wire.event.ToolInput;
import dev.coppice.wire.run.StartedView;
import dev.coppice.wire.session.SessionCalls;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Shows on a terminal what a run prints, or what its agent says and does, until it has ended. One
 * thread draws. Three others read: the output, the end of the run, and questions. They wait if the
 * terminal is slower than they are.
 */
final class LiveRun {
    private static final Duration FRAME = Duration.ofMillis(120);
    private static final Duration LOOK = Duration.ofMillis(400);

    /** The last of the output is waited for, but not for ever: its runner may be gone. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(3);

    private static final int NEWS_MAX = 64;
    private static final int SAID_CHARS_MAX = 1 << 20;
    private static final String TURNS = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

    /** Kinds of programs whose output is a protocol, and no text for people. */
    private static final Set<Blueprint.Kind> DRIVEN =
            EnumSet.of(Blueprint.Kind.CLAUDE_CODE, Blueprint.Kind.CODEX, Blueprint.Kind.ACP);

    private sealed interface News {
        /** A part of the output. */
        record Printed(boolean isResult, String text) implements News {}

        /** A message of an agent, whole. */
        record Said(String text) implements News {}

        record Doing(String text) implements News {}

        /** It asks a person, or one below it does. */
        record Asks(String text) implements News {}

        /**
         * Nothing more will be printed or said.
         *
         * @param isWhole whether all of the output was printed
         */
        record Shown(boolean isWhole) implements News {}

        record Over(Waiting.Ended ended) implements News {}

        record Failed(Throwable why) implements News {}
    }

    private final Connection connection;
    private final StartedView run;
    private final Console console;
    private final StatusLine status;
    private final BlockingQueue<News> news = new LinkedBlockingQueue<>(NEWS_MAX);

    private final long from = System.nanoTime();
    private volatile boolean isOver;
    private volatile boolean isProcedural;
    private boolean isTooLong;
    private final StringBuilder said = new StringBuilder();
    private String last = "";
    private String doing = "";
    private boolean isInLine;
    private int turn;

    LiveRun(Connection connection, StartedView run, Console console, StatusLine status) {
        this.connection = connection;
        this.run = run;
        this.console = console;
        this.status = status;
    }

    /** The end of the run, and whether its result was on the screen before. */
    record Seen(Waiting.Ended ended, boolean isResultShown) {}

    Seen untilOver() throws InterruptedException {
        Threads.virtual("end").start(() -> handing(this::awaitEnd, News.Failed::new));
        // Without its questions and its output, the run goes on all the same.
        Threads.virtual("questions").start(() -> handing(this::listen, LiveRun::unheard));
        Threads.virtual("output").start(() -> handing(this::read, _ -> new News.Shown(false)));
        Waiting.Ended ended = null;
        boolean isAllShown = false;
        boolean isWhole = false;
        long until = Long.MAX_VALUE;
        while (ended == null || (!isAllShown && System.nanoTime() - until < 0)) {
            switch (news.poll(FRAME.toNanos(), TimeUnit.NANOSECONDS)) {
                case null -> turn();
                case News.Printed printed -> {
                    print(printed);
                    until = System.nanoTime() + LAST_WORDS.toNanos();
                }
                case News.Said one -> {
                    say(one.text());
                    until = System.nanoTime() + LAST_WORDS.toNanos();
                }
                case News.Doing next -> doing = next.text();
                case News.Asks asks -> {
                    status.clear();
                    console.err().println(asks.text());
                }
                case News.Shown shown -> {
                    isAllShown = true;
                    isWhole = shown.isWhole();
                }
                case News.Failed(RuntimeException why) -> throw why;
                case News.Failed(var why) -> throw new IllegalStateException(why);
                case News.Over over -> {
                    ended = over.ended();
                    isOver = true;
                    until = System.nanoTime() + LAST_WORDS.toNanos();
                }
            }
        }
        status.close();
        if (isInLine) console.out().println();
        if (!isAllShown) {
            console.err()
                    .println(
                            "coppice: there is more; 'coppice logs %s' prints all of it"
                                    .formatted(Shown.clean(run.sessionName())));
        }
        return new Seen(ended, isShown(ended.outcome().text(), isWhole));
    }

    /** True if the result was printed: the output is the result, whatever form that has. */
    private boolean isShown(@Nullable String result, boolean isWhole) {
        var text = result == null ? "" : result.strip();
        boolean isSaid = said.toString().strip().equals(text) || last.equals(text);
        boolean isInOtherForm = isWhole && (isTooLong || (isProcedural && !said.isEmpty()));
        return !text.isEmpty() && (isSaid || isInOtherForm);
    }

    private interface Reading {
        void run() throws InterruptedException;
    }

    /** A reader that fails tells the thread that draws, since nobody else would see it. */
    private void handing(Reading reading, Function<Throwable, News> failure) {
        try {
            try {
                reading.run();
            } catch (RuntimeException | Error e) {
                news.put(failure.apply(e));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static News unheard(Throwable why) {
        return new News.Asks("coppice: its questions are not told: " + Reason.of(why));
    }

    private void listen() throws InterruptedException {
        var at = new SessionCalls.At(run.sessionId());
        var read = connection.client().callPatiently(SessionCalls.READ, at);
        if (!read.isGood()) return;
        new QuestionNews(connection, List.of(read.value().session()))
                .tell(line -> news.put(new News.Asks(line)), () -> isOver);
    }

    private void awaitEnd() throws InterruptedException {
        news.put(new News.Over(Waiting.outcome(connection, run.runId())));
    }

    private void read() throws InterruptedException {
        var kind = kind();
        isProcedural = kind == Blueprint.Kind.PROCEDURAL;
        boolean isWhole = true;
        if (kind != null && DRIVEN.contains(kind)) {
            follow();
        } else {
            var end =
                    new RunReading(connection.client(), RunReading.Until.OVER, null)
                            .read(run.runId(), text -> hand(true, text), text -> hand(false, text));
            isWhole = end.unavailable() == null;
        }
        news.put(new News.Shown(isWhole));
    }

    private void hand(boolean isResult, String text) {
        try {
            news.put(new News.Printed(isResult, text));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The kind of the blueprint; null if the caller may not read it. */
    private Blueprint.@Nullable Kind kind() {
        var client = connection.client();
        var session = client.callPatiently(SessionCalls.READ, new SessionCalls.At(run.sessionId()));
        var name = session.isGood() ? session.value().session().agentName() : null;
        if (name == null) return null;
        var read = client.callPatiently(BlueprintCalls.READ, new BlueprintCalls.Read(name, true));
        if (!read.isGood()) return null;
        var word = Json.text(read.value().document(), "kind");
        return EnumSet.allOf(Blueprint.Kind.class).stream()
                .filter(each -> BlueprintText.word(each).equals(word))
                .findFirst()
                .orElse(null);
    }

    /** Reads what the agent says and does, the last of it after its run has ended. */
    private void follow() throws InterruptedException {
        // The newest ones at first: a session that is resumed may have thousands.
        Long after = null;
        while (true) {
            boolean wasOver = isOver;
            var find =
                    new EventCalls.Find(run.sessionId(), after, null, Sizes.PAGE_ITEMS_MAX, false);
            var page = connection.client().callPatiently(EventCalls.LIST, find);
            if (!page.isGood()) return;
            var events = page.value().events();
            for (var event : events) {
                if (run.runId().equals(event.runId())) tell(event);
                after = event.id();
            }
            if (wasOver && events.isEmpty()) return;
            if (events.isEmpty()) Pause.of(LOOK);
        }
    }

    private void tell(EventView event) throws InterruptedException {
        var details = event.details();
        var tool = details.get("tool_name");
        if (event.eventType().equals("message")) {
            var content = details.get("content");
            var text = content == null ? "" : Saying.content(content);
            if (!text.isBlank()) news.put(new News.Said(text));
        } else if (event.eventType().equals("pre_tool") && tool != null) {
            var input = details.get("tool_input");
            var subject = input == null ? "" : ToolInput.subject(input);
            var name = tool.isValueNode() ? tool.asString() : tool.toString();
            news.put(new News.Doing(name + ": " + Shown.line(subject)));
        }
    }

    private void print(News.Printed printed) {
        status.clear();
        var to = printed.isResult() ? console.out() : console.err();
        to.print(printed.text());
        to.flush();
        boolean isSeen = printed.isResult() || console.terminal().has(Terminal.Stream.ERR);
        if (isSeen) isInLine = !printed.text().endsWith("\n");
        doing = "";
        if (printed.isResult()) remember(printed.text());
    }

    private void say(String text) {
        status.clear();
        console.out().println(text.stripTrailing());
        console.out().flush();
        last = text.strip();
        doing = "";
        remember(last + "\n");
    }

    private void remember(String text) {
        isTooLong |= said.length() + text.length() > SAID_CHARS_MAX;
        if (!isTooLong) said.append(text);
    }

    private void turn() {
        if (isInLine) return;
        var running = Duration.ofNanos(System.nanoTime() - from);
        var time = Shown.length(Duration.ofSeconds(Math.max(1, running.toSeconds())));
        turn = (turn + 1) % TURNS.length();
        status.show(
                "%c %s  %s  %s"
                        .formatted(TURNS.charAt(turn), run.sessionName(), time, Shown.line(doing)));
    }
}
