package dev.coppice.mcp;

import dev.coppice.web.Reply;
import dev.coppice.wire.Json;
import dev.coppice.wire.SseFrame;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Tells how far something has come until it is done, and then what came of it. */
final class Progress {
    private static final System.Logger LOG = System.getLogger("mcp");
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final long SILENCE_NANOS_MAX = Duration.ofSeconds(15).toNanos();

    private final JsonNode token;
    private final List<Tool.Step> steps;
    private final OutputStream out;
    private int percent;
    private long last = System.nanoTime();

    Progress(JsonNode token, List<Tool.Step> steps, OutputStream out) {
        this.token = token;
        this.steps = List.copyOf(steps);
        this.out = out;
    }

    /** Whatever goes wrong here is an answer too: who is not answered waits for ever. */
    void all(Supplier<Reply> asked, Result result, Function<String, Object> failed)
            throws IOException {
        try {
            all(asked.get(), result);
        } catch (RuntimeException | InterruptedException e) {
            LOG.log(System.Logger.Level.WARNING, "telling of progress", e);
            event(failed.apply("the answer broke off; what was begun goes on"));
            if (e instanceof InterruptedException) Thread.currentThread().interrupt();
        }
    }

    private void all(Reply reply, Result result) throws IOException, InterruptedException {
        if (!(reply instanceof Reply.Patient(_, var wait))) {
            event(result.now(reply));
            return;
        }
        var value = wait.within(LOOK);
        while (value == null) {
            tell(wait.soFar());
            value = wait.within(LOOK);
        }
        var answer = result.answer(value);
        if (answer.done()) {
            var passed = result.tool().passed(Json.tree(value));
            tell(100, answer.said(), both(passed, steps));
        }
        event(result.of(answer));
    }

    /** Whoever is quick has passed steps that nobody saw; they are told all the same. */
    private void tell(@Nullable Object soFar) throws IOException {
        var seen = Json.tree(soFar == null ? Map.of() : soFar);
        int now = seen.path("percent").asInt(0);
        if (now < 100) tell(now, deleting(seen.path("telling")), steps);
        // A connection that carries nothing for long is taken for a broken one.
        if (System.nanoTime() - last > SILENCE_NANOS_MAX) write(": still at it\n\n");
    }

    /** Of two for the same number, the one that was passed. */
    private static List<Tool.Step> both(List<Tool.Step> passed, List<Tool.Step> steps) {
        return Stream.concat(passed.stream(), steps.stream())
                .sorted(Comparator.comparingInt(Tool.Step::percent))
                .toList();
    }

    /** They have left at one instant, and their ends are told, the session's own at last. */
    private static String deleting(JsonNode telling) {
        var next = Json.text(telling, "next");
        int told = telling.path("told").asInt(0);
        int agents = telling.path("all").asInt(0) - 1;
        return next == null || told >= agents
                ? "Deleting session agents"
                : Deleted.deleting(next, told + 1, agents);
    }

    private void tell(int now, String said, List<Tool.Step> steps) throws IOException {
        for (var step : steps) if (step.percent() < now) rise(step.percent(), step.said());
        var here = steps.stream().filter(s -> s.percent() == now).findFirst();
        rise(now, here.map(Tool.Step::said).orElse(said));
    }

    /** Never backwards, and never the same twice: the protocol wants it to rise. */
    private void rise(int now, String said) throws IOException {
        if (now <= percent) return;
        percent = now;
        var progress = Json.object().put("jsonrpc", "2.0").put("method", "notifications/progress");
        progress.putObject("params")
                .put("progress", percent)
                .put("total", 100)
                .put("message", said)
                .set("progressToken", token);
        event(progress);
    }

    private void event(Object message) throws IOException {
        write(new SseFrame("", "message", Json.write(message)).written());
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
        last = System.nanoTime();
    }
}
