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

/** Tells how far something has come until it is done, and then what came of it. */
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

    /** Every failure is answered: a client without an answer waits for ever. */
    <O> void all(Supplier<Asked<O>> asked, Result<O> result, Call call) throws IOException {
        try {
            all(result, call, asked.get());
        } catch (RuntimeException | InterruptedException e) {
            LOG.log(System.Logger.Level.WARNING, "telling of progress", e);
            var why = "the answer broke off; what was begun goes on";
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
        var value = wait.within(LOOK);
        while (value == null) {
            tell(wait.soFar());
            value = wait.within(LOOK);
        }
        var answer = result.answer(value);
        if (answer.done()) {
            var passed = result.tool().result().passed((O) value);
            tell(100, answer.said(), both(passed, steps));
        }
        event(call.answer(result.of(answer)));
    }

    /** Steps that were passed unseen are told all the same. */
    private void tell(@Nullable Object soFar) throws IOException {
        if (soFar instanceof RemovalView seen && seen.percent() < 100 && !isHeldBack(seen)) {
            tell(seen.percent(), deleting(seen.telling()), steps);
        }
        // A connection that carries nothing for long is taken for a broken one.
        if (System.nanoTime() - last > SILENCE_NANOS_MAX) write(": still at it\n\n");
    }

    /** In a small tree each agent is told by name; once one was missed, that happens at the end. */
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

    /** Of two for the same number, the one that was passed. */
    private static List<Tool.Step> both(List<Tool.Step> passed, List<Tool.Step> steps) {
        return Stream.concat(passed.stream(), steps.stream())
                .sorted(Comparator.comparingInt(Tool.Step::percent))
                .toList();
    }

    /** They are hidden at one instant, and told one by one, the session itself last. */
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

    /** Never backwards, and never the same twice: the protocol wants it to rise. */
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
