package dev.coppice.runner.drive;

import dev.coppice.client.CoppiceClient;
import dev.coppice.runner.drive.dialect.Dialect;
import dev.coppice.runner.drive.dialect.Dialects;
import dev.coppice.runner.drive.dialect.Message;
import dev.coppice.runner.drive.dialect.Order;
import dev.coppice.runner.drive.dialect.Unknown;
import dev.coppice.runner.drive.dialect.Upstream;
import dev.coppice.thread.Loops;
import dev.coppice.thread.Threads;
import dev.coppice.wire.Json;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.wire.session.SessionCalls;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The driver of an agent program, a process of its own: a runner starts it as the agent of a run.
 * It prints the agent's result, and ends with the code of an agent that has finished or failed.
 */
public final class Drive {
    /** Names the file of the agent's MCP servers. */
    public static final String MCP_CONFIG = "COPPICE_MCP_CONFIG";

    private static final int WAITING_MAX = 100;
    private static final int QUIET_SECONDS = 2;
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}");

    /** Variables that make a program believe that another program started it. */
    private static final List<String> UNSET =
            List.of("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT");

    private final BlockingQueue<Heard> heard = new ArrayBlockingQueue<>(WAITING_MAX);
    private final Loops loops = new Loops();
    private final CoppiceClient client;
    private final String session;
    private Order order;
    private boolean isStopping;

    /** The budget that ends the agent; null if none does. */
    private @Nullable String spent;

    private Drive(Identity own, Order order) {
        this.client = own.client();
        this.session = own.session();
        this.order = order;
    }

    public static void main(String[] args) throws IOException {
        var out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        var err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        var order =
                Json.as(new String(System.in.readAllBytes(), StandardCharsets.UTF_8), Order.class);
        var drive = new Drive(Identity.ofEnvironment(), order.with(System.getenv(MCP_CONFIG)));
        int exit = 1;
        try {
            switch (drive.run()) {
                case Dialect.Outcome.Done(var text) -> {
                    out.print(text);
                    exit = 0;
                }
                case Dialect.Outcome.Failed(var why) -> err.println(why);
            }
        } catch (RuntimeException | Error | InterruptedException e) {
            err.println("the driver failed: " + e);
        } finally {
            out.flush();
            // System.exit would wait for the shutdown hook, which waits for this thread.
            Runtime.getRuntime().halt(exit);
        }
    }

    private Dialect.Outcome run() throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(Threads.hook(this::stopped));
        try (var up = new HttpUpstream(client, session, order.runId(), loops)) {
            var box = new Inbox(client, order.runId(), heard, up::living, loops);
            up.onQuestions(box::isAsked);
            box.start();
            new BudgetWatch(client, session, reserve(), heard).start(loops);
            var before = order.resumes() ? programSession() : null;
            if (before != null) order = order.after(lastTurn());
            var driven = drive(before, up, box);
            boolean isLost = before != null && driven.dialect().hasLost();
            if (!isLost || isStopping) return driven.outcome();
            up.event(
                    Upstream.SELF,
                    "conversation_lost",
                    Map.of("conversation", String.valueOf(before), "why", why(driven.outcome())));
            return drive(null, up, box).outcome();
        }
    }

    private static String why(Dialect.Outcome outcome) {
        return outcome instanceof Dialect.Outcome.Failed(var why) ? why : "";
    }

    /** Returns the program's id of the session's conversation; null if there is none. */
    private @Nullable String programSession() {
        var answer = client.callPatiently(SessionCalls.READ, new SessionCalls.At(session));
        if (!answer.isGood()) {
            throw new IllegalStateException("cannot read the session: " + answer.error());
        }
        var id = answer.value().session().executorSessionId();
        // The agent may have set this id, which must not be taken for an option.
        if (id != null && !ID.matcher(id).matches()) {
            throw new IllegalStateException("'%s' is no id of a conversation".formatted(id));
        }
        return id;
    }

    /** Returns the last event of a turn; an empty object if the latest events have none. */
    private JsonNode lastTurn() {
        var find = new EventCalls.Find(session, null, null, Sizes.PAGE_ITEMS_MAX, false);
        var answer = client.callPatiently(EventCalls.LIST, find);
        return answer.body()
                .path("events")
                .valueStream()
                .filter(event -> "turn_ended".equals(Json.textIfAny(event, "event_type")))
                .reduce((_, last) -> last)
                .orElseGet(Json::object);
    }

    /** A dialect after its program has ended, and the outcome. */
    private record Driven(Dialect dialect, Dialect.Outcome outcome) {}

    private Driven drive(@Nullable String before, HttpUpstream up, Inbox box)
            throws InterruptedException {
        var program = new Program(heard);
        var dialect = Dialects.of(order, before, program, up);
        try {
            program.start(dialect.command(), UNSET);
        } catch (IOException e) {
            return new Driven(dialect, new Dialect.Outcome.Failed(notStarted(e)));
        }
        dialect.begin();
        var unknown = new Unknown(order.kind(), up);
        var complaints = new Complaints();
        while (true) {
            var next = heard.poll(QUIET_SECONDS, TimeUnit.SECONDS);
            switch (next) {
                case null -> dialect.quiet();
                case Heard.Line(var text) -> unknown.orHeard(dialect, text);
                case Heard.Complaint(var text) -> {
                    complaints.add(text, up);
                    dialect.complained(text);
                }
                case Heard.Overlong(var begin, var bytes) ->
                        unknown.heard("a line of %d bytes".formatted(bytes), Json.tree(begin));
                case Heard.Stop() -> {
                    isStopping = true;
                    dialect.stop();
                }
                case Heard.Told(var message) -> told(message, dialect, up, box);
                case Heard.NearlySpent(var what) -> {
                    if (spent == null && dialect.conclude(lastPrompt(what))) spent = what;
                }
                case Heard.SubagentStopped(var agent) -> dialect.stopSubagent(agent);
                case Heard.Ended(int exit) -> {
                    var outcome = complaints.with(dialect.outcome(exit), dialect.hasBegun());
                    up.heard(dialect.read());
                    box.ask(null);
                    return new Driven(dialect, spent == null ? outcome : dead(outcome));
                }
            }
            up.heard(dialect.read());
            box.ask(dialect.question());
        }
    }

    /**
     * Passes a message on. Only a person's message that was sent after the question answers it: an
     * agent must not grant another one a permission. A message that neither answers nor steers
     * comes with the next prompt.
     */
    private static void told(Message message, Dialect dialect, HttpUpstream up, Inbox box) {
        var question = dialect.question();
        boolean isAnswer =
                question != null && message.from() == null && box.isAnswerTo(question, message);
        if (isAnswer && dialect.answer(message.text())) up.heard(List.of(message.id()));
        else if (message.isSteering()) dialect.steer(message);
    }

    private String notStarted(IOException e) {
        return "%s cannot be started; is it installed, and on the runner's PATH? (%s)"
                .formatted(order.program().getFirst(), e.getMessage());
    }

    private static String lastPrompt(String what) {
        return ("Your budget is nearly spent (%s). Do not go on with the work. Say in a short last"
                        + " message what you have done, what is left to do, and where your work"
                        + " is.")
                .formatted(what);
    }

    /** Returns the outcome of an agent whose budget is spent, with its last report. */
    private Dialect.Outcome dead(Dialect.Outcome outcome) {
        var said =
                switch (outcome) {
                    case Dialect.Outcome.Done(var text) -> "It reported:\n" + text;
                    case Dialect.Outcome.Failed(var why) -> "It could not report: " + why;
                };
        return new Dialect.Outcome.Failed(
                "The agent ended because its budget is nearly spent: %s. %s"
                        .formatted(spent, said));
    }

    /** The share of a budget that is reserved for the last report. */
    private double reserve() {
        var percent = order.option("report_reserve");
        return percent == null
                ? BudgetWatch.RESERVE
                : Double.parseDouble(percent.replace("%", "")) / 100;
    }

    /** Runs on a signal. Keeps the process alive until {@link #main} ends. */
    private void stopped() {
        try {
            heard.put(new Heard.Stop());
            Thread.currentThread().join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
