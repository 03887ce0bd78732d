package dev.coppice.runner.agents;

import dev.coppice.client.CoppiceClient;
import dev.coppice.client.Pause;
import dev.coppice.runner.drive.Identity;
import dev.coppice.thread.Threads;
import dev.coppice.wire.Json;
import dev.coppice.wire.Length;
import dev.coppice.wire.Patience;
import dev.coppice.wire.Shape;
import dev.coppice.wire.budget.BudgetCalls;
import dev.coppice.wire.callback.CallbackCalls;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.wire.run.RunCalls;
import dev.coppice.wire.run.RunGone;
import dev.coppice.wire.run.RunView;
import dev.coppice.wire.run.StartRunRequest;
import dev.coppice.wire.run.StartedView;
import dev.coppice.word.ExecutionMode;
import dev.coppice.word.JoinKind;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The agent that needs no credentials: it plays a script. docs/scripted-agent.md describes the
 * language, and a test compares that page with {@link #play}.
 */
final class Scripted {
    private static final Patience DAY = Patience.of(Duration.ofDays(1));
    private static final String WAKING = "<agent-callback";
    private final CoppiceClient client;
    private final String session;
    private final Map<String, String> children = new LinkedHashMap<>();
    private final List<String> said = new ArrayList<>();
    private @Nullable String result;
    private String heard = "";

    private Scripted(CoppiceClient client, String session) {
        this.client = client;
        this.session = session;
    }

    /** Ends the script with an exit code and a message. */
    private static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int exit;

        Failed(int exit, String message) {
            super(message);
            this.exit = exit;
        }
    }

    public static void main(String[] args) throws IOException {
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        var err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        var script = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        var own = Identity.ofEnvironment();
        var agent = new Scripted(own.client(), own.session());
        int exit = 0;
        try {
            agent.playAll(script);
            out.println(agent.result == null ? String.join("\n", agent.said) : agent.result);
        } catch (Failed e) {
            err.println(e.getMessage());
            exit = e.exit;
        } catch (RuntimeException e) {
            err.println("the script failed: " + e.getMessage());
            exit = 2;
        }
        out.flush();
        // Not System.exit, which runs the shutdown hooks of ignore-term and on-stop.
        Runtime.getRuntime().halt(exit);
    }

    private void playAll(String text) throws IOException {
        boolean woken = text.startsWith(WAKING);
        heard = woken ? text : "";
        var script = !woken ? text : Files.exists(onWake()) ? Files.readString(onWake()) : "heard";
        for (var line : ParsedScript.read(script).lines()) play(line);
    }

    /**
     * Returns the file of the on-wake block, named for the session because several may share a
     * directory.
     */
    private Path onWake() {
        return Path.of(".on-wake-" + session.replaceAll("[^A-Za-z0-9_-]", "_"));
    }

    private void keepOnWake(ParsedScript.Line line) {
        try {
            Files.writeString(onWake(), line.block() + "\n");
        } catch (IOException e) {
            throw wrong(line, "saving the block: " + e.getMessage());
        }
    }

    private void play(ParsedScript.Line line) {
        switch (line.word()) {
            case "say" -> say(line.rest());
            case "env" -> say(line.rest() + "=" + System.getenv(line.rest()));
            case "sleep" -> sleep(line);
            case "emit" -> emit(line);
            case "write" -> write(line);
            case "spawn" -> spawn(line);
            case "wait" -> waitFor(line);
            case "on-wake" -> keepOnWake(line);
            case "heard" -> say(heard);
            case "join" -> join(line);
            case "usage" -> usage(line);
            case "result" -> result = line.rest();
            case "fail" ->
                    throw new Failed(1, line.rest().isEmpty() ? "failed as scripted" : line.rest());
            case "exit" -> throw new Failed(number(line, line.rest()), "exit " + line.rest());
            case "hang" -> hang();
            case "ignore-term" -> ignoreTerm();
            case "on-stop" -> onStop(line);
            case "leave-behind" -> leaveBehind(line);
            default -> throw wrong(line, "unknown word: " + line.word());
        }
    }

    private static int number(ParsedScript.Line line, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException _) {
            throw wrong(line, "'%s' is not a number".formatted(text));
        }
    }

    private static Failed wrong(ParsedScript.Line line, String what) {
        return new Failed(2, "line %d of the script: %s".formatted(line.number(), what));
    }

    private void say(String text) {
        said.add(text);
        var event = Json.object().put("event_type", "message").put("role", "assistant");
        event.putArray("content").add(Json.object().put("type", "text").put("text", text));
        report(event);
    }

    private void report(JsonNode event) {
        var answer = client.call(EventCalls.REPORT, new EventCalls.Report(session, event));
        if (!answer.isGood()) throw new Failed(3, "reporting an event: " + answer.error());
    }

    private void emit(ParsedScript.Line line) {
        var words = line.rest().split(" ", 2);
        var body = words.length > 1 ? Json.valueOf(words[1]) : Json.object();
        if (!(body instanceof tools.jackson.databind.node.ObjectNode event)) {
            throw wrong(line, "emit takes a type and a JSON object");
        }
        report(event.put("event_type", words[0]));
    }

    private static void write(ParsedScript.Line line) {
        var words = line.rest().split(" ", 2);
        var text = line.block().isEmpty() ? (words.length > 1 ? words[1] : "") : line.block();
        try {
            var file = Path.of(words[0]);
            if (file.getParent() != null) Files.createDirectories(file.getParent());
            Files.writeString(file, text + "\n");
        } catch (IOException e) {
            throw wrong(line, "writing " + words[0] + ": " + e.getMessage());
        }
    }

    private void spawn(ParsedScript.Line line) {
        var words = line.rest().split("\\s+", -1);
        var agent = "scripted";
        var mode = ExecutionMode.ASYNC_POLL;
        String directory = null;
        for (int i = 1; i < words.length; i++) {
            var pair = words[i].split("=", 2);
            if (pair.length < 2) throw wrong(line, "spawn takes agent=, mode= and dir=");
            switch (pair[0]) {
                case "agent" -> agent = pair[1];
                case "mode" -> mode = word(line, ExecutionMode.class, pair[1]);
                case "dir" -> directory = pair[1];
                default -> throw wrong(line, "spawn takes agent=, mode= and dir=, not " + words[i]);
            }
        }
        var prompt = line.block().isBlank() ? "say " + words[0] + " is here" : line.block();
        var request = StartRunRequest.of(words[0], agent, prompt).in(directory).as(mode);
        var answer = client.call(RunCalls.START, request);
        if (!answer.isGood()) {
            throw new Failed(3, "spawning %s: %s".formatted(words[0], answer.error()));
        }
        children.put(words[0], answer.value().runId());
        if (mode == ExecutionMode.SYNC) awaitChild(words[0]);
    }

    private static <E extends Enum<E>> E word(ParsedScript.Line line, Class<E> type, String text) {
        for (var constant : type.getEnumConstants()) {
            if (Shape.word(constant).equals(text)) return constant;
        }
        throw wrong(line, "unknown value: " + text);
    }

    private void waitFor(ParsedScript.Line line) {
        var names =
                line.rest().isEmpty() || line.rest().equals("all")
                        ? List.copyOf(children.keySet())
                        : List.of(line.rest().split("\\s+", -1));
        for (var name : names) {
            if (!children.containsKey(name)) throw wrong(line, "no child was spawned as " + name);
            awaitChild(name);
        }
    }

    private void awaitChild(String name) {
        var run = new RunCalls.Await(String.valueOf(children.get(name)), DAY);
        while (true) {
            var answer = client.callPatiently(RunCalls.READ, run);
            if (!answer.isGood()) {
                throw new Failed(3, "waiting for %s: %s".formatted(name, answer.error()));
            }
            switch (answer.value()) {
                case RunView over when over.completedAt() != null -> {
                    say("%s %s: %s".formatted(name, over.state(), outcome(over)));
                    return;
                }
                case RunGone gone -> {
                    say("%s %s: %s".formatted(name, gone.state(), gone.error()));
                    return;
                }
                case RunView _, StartedView _ -> {}
            }
        }
    }

    private void usage(ParsedScript.Line line) {
        Long tokens = null;
        BigDecimal cost = null;
        for (var word : line.rest().split("\\s+", -1)) {
            var pair = word.split("=", 2);
            switch (pair[0]) {
                case "tokens" -> tokens = (long) number(line, pair[pair.length - 1]);
                case "cost" -> cost = decimal(line, pair[pair.length - 1]);
                default -> throw wrong(line, "usage takes tokens= and cost=");
            }
        }
        var usage = new BudgetCalls.Usage(session, tokens, null, null, cost);
        var answer = client.call(BudgetCalls.REPORT, usage);
        if (!answer.isGood()) throw new Failed(3, "reporting usage: " + answer.error());
    }

    private static BigDecimal decimal(ParsedScript.Line line, String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException _) {
            throw wrong(line, "'%s' is not a number".formatted(text));
        }
    }

    private void join(ParsedScript.Line line) {
        var names = new ArrayList<String>();
        var until = JoinKind.ALL;
        Integer count = null;
        var timeout = Length.ofSeconds(3600);
        for (var word : line.rest().split("\\s+", -1)) {
            var pair = word.split("=", 2);
            if (word.isEmpty()) continue;
            if (pair.length < 2) {
                names.add(word);
                continue;
            }
            switch (pair[0]) {
                case "count" -> count = number(line, pair[1]);
                case "until" -> until = word(line, JoinKind.class, pair[1]);
                case "timeout" -> timeout = Length.of(pair[1]);
                default -> throw wrong(line, "join takes until=, count= and timeout=");
            }
        }
        if (names.isEmpty()) names.addAll(children.keySet());
        var request = new CallbackCalls.OpenJoin(session, names, until, count, timeout);
        var answer = client.call(CallbackCalls.JOIN, request);
        if (!answer.isGood()) throw new Failed(3, "joining: " + answer.error());
    }

    private static String outcome(RunView run) {
        var text = run.error() == null ? run.resultText() : run.error();
        return text == null ? "" : text.strip();
    }

    private static void sleep(ParsedScript.Line line) {
        var text = line.rest();
        try {
            var length =
                    text.endsWith("ms")
                            ? Duration.ofMillis(
                                    Long.parseLong(text.substring(0, text.length() - 2)))
                            : Duration.ofSeconds(Long.parseLong(text.replaceAll("s$", "")));
            pause(length);
        } catch (NumberFormatException e) {
            throw wrong(line, "sleep takes a time such as 200ms or 5s");
        }
    }

    private static void pause(Duration length) {
        try {
            Pause.of(length);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void hang() {
        while (true) pause(Duration.ofHours(1));
    }

    /** Adds a shutdown hook that never returns: the JVM exits on SIGTERM only after its hooks. */
    private static void ignoreTerm() {
        Runtime.getRuntime().addShutdownHook(Threads.hook(Scripted::hang));
    }

    /** Plays the block before the agent ends at SIGTERM. */
    private void onStop(ParsedScript.Line line) {
        var last = ParsedScript.read(line.block()).lines();
        Runtime.getRuntime().addShutdownHook(Threads.hook(() -> last.forEach(this::play)));
    }

    private static void leaveBehind(ParsedScript.Line line) {
        var seconds = line.rest().replaceAll("s$", "");
        try {
            new ProcessBuilder("sleep", seconds.isEmpty() ? "600" : seconds)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw wrong(line, "starting a process: " + e.getMessage());
        }
    }
}
