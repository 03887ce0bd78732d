package dev.coppice.mcp.tool;

import dev.coppice.mcp.call.Cancelled;
import dev.coppice.mcp.call.Channel;
import dev.coppice.mcp.message.Lists.ToolResult;
import dev.coppice.request.Context;
import dev.coppice.request.Wait;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.wire.session.AwaitCalls;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Waits for the answer of a tool's operation, and reports its progress meanwhile. */
final class Progress<O> {
    private static final int BY_NAME_FROM = 50;
    private static final int BY_NAME_MAX = 50;
    private static final Duration LOOK = Duration.ofMillis(50);

    /** The interval for a call without steps, to find a cancellation or sessions that are over. */
    private static final Duration SELDOM = Duration.ofMillis(500);

    private final Tool<?, O> tool;
    private final List<Tool.Step> steps;
    private final Context context;
    private final Channel channel;
    private int percent;
    private long named;
    private boolean missed;

    Progress(Tool<?, O> tool, List<Tool.Step> steps, Context context, Channel channel) {
        this.tool = tool;
        this.steps = List.copyOf(steps);
        this.context = context;
        this.channel = channel;
    }

    @SuppressWarnings("unchecked")
    ToolResult until(Wait pending, O first) throws Cancelled, InterruptedException {
        var result = new Result<>(tool);
        Object value;
        try (var wait = pending) {
            channel.later(tool.manner().name(first));
            boolean isStopping = false;
            var look = steps.isEmpty() ? SELDOM : LOOK;
            var found = wait.within(look);
            while (found == null) {
                if (channel.isCancelled() && !isStopping) {
                    boolean isStopped = tool.manner().callOff(context, first);
                    // If it is too late to stop, a task shows how it ends.
                    if (isStopped || !channel.isTask()) throw new Cancelled();
                    isStopping = true;
                }
                tell(wait.soFar());
                found = wait.within(look);
            }
            value = found;
        }
        var answer = result.answer(value);
        if (value instanceof AwaitCalls.Awaited seen) tellOver(seen);
        if (answer.done() && !steps.isEmpty()) {
            var passed = tool.result().passed((O) value);
            tell(100, answer.said(), both(passed, steps));
        }
        return result.of(answer);
    }

    /** Sends the steps up to the current one, including those passed between two looks. */
    private void tell(@Nullable Object soFar) {
        if (soFar instanceof AwaitCalls.Awaited seen) tellOver(seen);
        if (soFar instanceof RemovalView seen && seen.percent() < 100 && !isHeldBack(seen)) {
            tell(seen.percent(), deleting(seen.telling()), steps);
        }
    }

    /** Counts sessions that are over, out of all that are waited for. */
    private void tellOver(AwaitCalls.Awaited seen) {
        int all = seen.sessions().size();
        int over = (int) seen.sessions().stream().filter(AwaitCalls.Seen::isOver).count();
        if (over <= percent) return;
        percent = over;
        channel.progress(over, all, "%d of %d sessions are over".formatted(over, all));
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
                : Deleting.deleting(next, told + 1, agents);
    }

    private void tell(int now, String said, List<Tool.Step> all) {
        for (var step : all) if (step.percent() < now) rise(step.percent(), step.said());
        var here = all.stream().filter(s -> s.percent() == now).findFirst();
        rise(now, here.map(Tool.Step::said).orElse(said));
    }

    /** Skips a percent that is not higher: the protocol requires progress to increase. */
    private void rise(int now, String said) {
        if (now <= percent) return;
        percent = now;
        channel.progress(percent, 100, said);
    }
}
