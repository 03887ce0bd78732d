package dev.coppice.outline;

import dev.coppice.session.StateWord;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;

/**
 * Sums up sessions.
 *
 * @param waiting sessions that wait for an answer of a person; they count as live, too
 * @param askedFirst the time since which the longest of them waits
 */
public record Tally(
        int all,
        int live,
        int waiting,
        int failed,
        int finished,
        int stopped,
        @Nullable Instant askedFirst) {
    static final Tally NONE = new Tally(0, 0, 0, 0, 0, 0, null);

    static Tally of(Node node) {
        boolean isStopped = node.state().equals("stopped");
        boolean isFinished = !node.isLive() && !node.hasFailed() && !isStopped;
        return new Tally(
                1,
                one(node.isLive()),
                one(node.isAsking()),
                one(node.hasFailed()),
                one(isFinished),
                one(isStopped),
                node.asksSince());
    }

    /** Sums up counts of states. */
    public static Tally of(Map<String, Integer> states, int waiting, @Nullable Instant askedFirst) {
        int live = 0;
        int failed = 0;
        int all = 0;
        for (var count : states.entrySet()) {
            all += count.getValue();
            if (StateWord.ALIVE.contains(count.getKey())) live += count.getValue();
            if (StateWord.FAILED.contains(count.getKey())) failed += count.getValue();
        }
        int stopped = states.getOrDefault("stopped", 0);
        return new Tally(
                all, live, waiting, failed, all - live - failed - stopped, stopped, askedFirst);
    }

    static Tally of(Collection<Tally> parts) {
        return parts.stream().reduce(NONE, Tally::plus);
    }

    private static int one(boolean isSo) {
        return isSo ? 1 : 0;
    }

    Tally plus(Tally other) {
        return new Tally(
                all + other.all,
                live + other.live,
                waiting + other.waiting,
                failed + other.failed,
                finished + other.finished,
                stopped + other.stopped,
                earlier(askedFirst, other.askedFirst));
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) return one == null ? other : one;
        return one.isBefore(other) ? one : other;
    }

    /** True if a person should see more of these sessions than their number. */
    boolean needsLook() {
        return waiting > 0 || failed > 0;
    }
}
