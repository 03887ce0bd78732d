package dev.coppice.operations.fleet;

import dev.coppice.access.Caller;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.Topic;
import dev.coppice.request.TopicNotifier;
import dev.coppice.wire.fleet.OutputAnswer;
import dev.coppice.wire.fleet.OutputOrder;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Requests for the output of runs, which wait here until their runner polls and until it answers.
 * They live in memory only: a request that a restart loses is asked again by its caller.
 */
public final class OutputReads {
    private static final int AT_ONCE_MAX = 64;
    private static final int OF_AN_AGENT_MAX = 16;
    private static final int OF_OTHERS_MAX = 256;
    private final TopicNotifier notifier;
    private final Map<String, Asked> open = new ConcurrentHashMap<>();

    public OutputReads(TopicNotifier notifier) {
        this.notifier = notifier;
    }

    /** An order that a runner has not answered yet. */
    record Asked(
            String caller,
            RunnerId runner,
            OutputOrder order,
            AtomicBoolean sent,
            CompletableFuture<OutputAnswer> answer) {}

    /** The caller must {@link #close} the request when it stops waiting. */
    Asked ask(Caller caller, RunnerId runner, OutputOrder order) {
        var asked =
                new Asked(
                        caller.key(),
                        runner,
                        order,
                        new AtomicBoolean(),
                        new CompletableFuture<>());
        int max = caller.isAgent() ? OF_AN_AGENT_MAX : OF_OTHERS_MAX;
        open.put(order.orderId(), asked);
        if (open.values().stream().filter(a -> a.caller().equals(asked.caller())).count() > max) {
            close(asked);
            throw new Rejected(new RequestRefusal.TooMany("reads of output by this token", max));
        }
        notifier.accept(new Topic.OutputWanted(runner));
        return asked;
    }

    void close(Asked asked) {
        open.remove(asked.order().orderId());
    }

    /** The orders for this runner, each of which is sent once. */
    List<OutputOrder> unsent(RunnerId runner) {
        return open.values().stream()
                .filter(asked -> asked.runner().equals(runner))
                .filter(asked -> asked.sent().compareAndSet(false, true))
                .limit(AT_ONCE_MAX)
                .map(Asked::order)
                .toList();
    }

    /** Completes the request; drops the answer if the request was closed. */
    void answer(String order, OutputAnswer answer) {
        var asked = open.get(order);
        if (asked != null) asked.answer().complete(answer);
    }
}
