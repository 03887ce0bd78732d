package dev.coppice.mcp;

import dev.coppice.operation.Wait;
import dev.coppice.wire.Json;
import dev.coppice.wire.SseFrame;
import dev.coppice.wire.removal.RemovalView;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Streams the progress of a tool call, and then its result. */
final class Progress {
    private static final System.Logger LOG = System.getLogger("mcp");
    private static final int BY_NAME_FROM = 50;
    private static final int BY_NAME_MAX = 50;
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final long SILENCE_NANOS_MAX = Duration.ofSeconds(15).toNanos();

    private final JsonNode token;
    private final List<Tool.Step> steps;
    private final OutputStream out;
    private int percent;
    private long last = System.nanoTime();
    private long named;
    private boolean missed;

    Progress(JsonNode token, List<Tool.Step> steps, OutputStream out) {
        this.token = token;
        this.steps = List.copyOf(steps);
        this.out = out;
    }

    /** Answers every failure, too: a client without an answer waits for ever. */
    <O> void all(Supplier<Asked<O>> asked, Result<O> result, Call call) throws IOException {
        try {
            all(result, call, asked.get());
        } catch (RuntimeException | InterruptedException e) {
            LOG.log(System.Logger.Level.WARNING, "cannot send the answer of an MCP tool", e);
            var why = "the answer was cut off; the operation itself continues";
            event(new Call.Broken(500, -32603, why).answer(call.id()));
            if (e instanceof InterruptedException) Thread.currentThread().interrupt();
        }
    }

    private <O> void all(Result<O> result, Call call, Asked<O> asked)
            throws IOException, InterruptedException {
        switch (asked) {
            case Asked.Now<O>(var answer) -> event(call.answer(result.of(result.answer(answer))));
            case Asked.Refused<O>(var refusal) -> event(call.answer(result.refused(refusal)));
            case Asked.Later<O>(var wait) -> later(result, call, wait);
        }
    }

    @SuppressWarnings("unchecked")
    private <O> void later(Result<O> result, Call call, Wait wait)
            throws IOException, InterruptedException {
        Object value;
        try (wait) {
            var found = wait.within(LOOK);
            while (found == null) {
                tell(wait.soFar());
                found = wait.within(LOOK);
            }
            value = found;
        }
        var answer = result.answer(value);
        if (answer.done()) {
            var passed = result.tool().result().passed((O) value);
            tell(100, answer.said(), both(passed, steps));
        }
        event(call.answer(result.of(answer)));
    }

    /** Sends the steps up to the current one, including those passed between two looks. */
    private void tell(@Nullable Object soFar) throws IOException {
        if (soFar instanceof RemovalView seen && seen.percent() < 100 && !isHeldBack(seen)) {
            tell(seen.percent(), deleting(seen.telling()), steps);
        }
        // Clients take a silent connection for a broken one.
        if (System.nanoTime() - last > SILENCE_NANOS_MAX) write(": still running\n\n");
    }

    /** True if a look missed an agent of a small tree: then the end names each agent, in order. */
    private boolean isHeldBack(RemovalView seen) {
        if (seen.percent() <= BY_NAME_FROM) return false;
        var telling = seen.telling();
        long told = telling == null ? Long.MAX_VALUE : telling.told();
        missed |= told > named + 1;
        named = Math.max(named, told);
        boolean few = telling == null || telling.all() <= BY_NAME_MAX;
        return missed && few;
    }

    static String deleting(String agent, int which, int all) {
        return "Deleting agent %s (%d/%d)".formatted(agent, which, all);
    }

    /** Merges by percent; on a tie the passed step comes first and wins. */
    private static List<Tool.Step> both(List<Tool.Step> passed, List<Tool.Step> steps) {
        return Stream.concat(passed.stream(), steps.stream())
                .sorted(Comparator.comparingInt(Tool.Step::percent))
                .toList();
    }

    /** Agents are hidden at one instant and announced one by one, the session itself last. */
    private static String deleting(RemovalView.@Nullable TellingView telling) {
        if (telling == null) return "Deleting session agents";
        var next = telling.next();
        int told = (int) telling.told();
        int agents = (int) telling.all() - 1;
        return next == null || told >= agents
                ? "Deleting session agents"
                : deleting(next, told + 1, agents);
    }

    private void tell(int now, String said, List<Tool.Step> steps) throws IOException {
        for (var step : steps) if (step.percent() < now) rise(step.percent(), step.said());
        var here = steps.stream().filter(s -> s.percent() == now).findFirst();
        rise(now, here.map(Tool.Step::said).orElse(said));
    }

    /** Skips a percent that is not higher: the protocol requires progress to increase. */
    private void rise(int now, String said) throws IOException {
        if (now <= percent) return;
        percent = now;
        event(
                new Messages.Notification(
                        "notifications/progress",
                        new Messages.ProgressParams(percent, 100, said, token)));
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
