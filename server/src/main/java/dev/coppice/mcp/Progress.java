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

/** Tells how far something has come until it is done, and then what came of it. */
final class Progress {
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final long SILENCE_NANOS_MAX = Duration.ofSeconds(15).toNanos();

    private final JsonNode token;
    private final OutputStream out;
    private int percent;
    private long last = System.nanoTime();

    Progress(JsonNode token, OutputStream out) {
        this.token = token;
        this.out = out;
    }

    void all(Reply reply, Result result) throws IOException, InterruptedException {
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
        tell(100, answer.said());
        event(result.of(answer));
    }

    private void tell(@Nullable Object soFar) throws IOException {
        if (soFar != null) {
            var seen = Json.tree(soFar);
            tell(seen.path("percent").asInt(), said(String.valueOf(Json.text(seen, "state"))));
        }
        // A connection that carries nothing for long is taken for a broken one.
        if (System.nanoTime() - last > SILENCE_NANOS_MAX) write(": still at it\n\n");
    }

    /** Never backwards, and never the same twice: the protocol wants it to rise. */
    private void tell(int now, String said) throws IOException {
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

    /** The seed's words for each step. */
    private static String said(String state) {
        return switch (state) {
            case "fencing" -> "Analyzing session contents";
            case "quiescing" -> "Stopping session agents";
            case "preserving" -> "Preserving uncommitted work";
            case "backing_up" -> "Creating session backup";
            case "detaching" -> "Letting the sessions below stay";
            case "hiding" -> "Deleting session agents";
            case "purging" -> "Cleaning up session resources";
            default -> state;
        };
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
