package dev.coppice.health;

import dev.coppice.session.Session;
import dev.coppice.session.StateWord;
import dev.coppice.word.Ending;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The health of a session.
 *
 * @param printed when it printed something last; null if that is not known
 * @param recent its last events, newest first
 */
public record Health(
        Session session,
        long livingBelow,
        Spent spent,
        Runs runs,
        Use use,
        @Nullable Instant printed,
        List<Glance> recent) {
    /**
     * A running session without live descendants that says and prints nothing for longer is silent.
     */
    public static final Duration SILENCE = Duration.ofMinutes(5);

    /** The error rate is zero unless this many of the last events report an outcome. */
    private static final int OUTCOMES_MIN = 4;

    public Health {
        recent = List.copyOf(recent);
    }

    /** The spending of the session and all below it. */
    public record Spent(long tokens, long costMicros, boolean isBudgetNearlySpent) {}

    /** Its runs: all, and those that did not finish. */
    public record Runs(int all, int failed) {}

    /** The reasons for a person to look, the most urgent first. */
    public enum Attention {
        /** It waits for an answer of a person. */
        ASKS,
        /** It failed, timed out or was lost. */
        FAILED,
        /** It runs and reports nothing, and has no live descendants. */
        SILENT,
        /** It has nearly spent a budget, or at least half of its last outcomes are failures. */
        BURNING,
        WORKING,
        IDLE
    }

    public Attention attention(Instant now) {
        var state = StateWord.of(session.state());
        if (StateWord.FAILED.contains(state)) return Attention.FAILED;
        if (isAsking()) return Attention.ASKS;
        if (state.equals("running") && livingBelow == 0 && isSilent(now)) return Attention.SILENT;
        boolean isBurning = spent.isBudgetNearlySpent() || errorRate() >= 0.5;
        if (session.state().isAlive() && isBurning) return Attention.BURNING;
        return state.equals("idle") ? Attention.IDLE : Attention.WORKING;
    }

    private boolean isAsking() {
        return session.state().isAlive() && !recent.isEmpty() && recent.getFirst().isQuestion();
    }

    private boolean isSilent(Instant now) {
        return silence(now).compareTo(SILENCE) > 0;
    }

    /** The time since its last event, or since its state began if that is later. */
    public Duration silence(Instant now) {
        var since = session.state().since();
        var last = lastHeard();
        if (last != null && last.isAfter(since)) since = last;
        return since.isAfter(now) ? Duration.ZERO : Duration.between(since, now);
    }

    public @Nullable Instant lastHeard() {
        var told = recent.isEmpty() ? null : recent.getFirst().at();
        if (told == null || printed == null) return told == null ? printed : told;
        return printed.isAfter(told) ? printed : told;
    }

    /** The share of failures among its last events with an outcome; zero if those are few. */
    public double errorRate() {
        long failed = recent.stream().filter(e -> e.ending() == Ending.FAILED).count();
        long told = recent.stream().filter(e -> e.ending() != null).count();
        return told < OUTCOMES_MIN ? 0 : (double) failed / told;
    }
}
