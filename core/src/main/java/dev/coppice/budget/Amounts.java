package dev.coppice.budget;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/** An amount of each kind. In a limit, null means that the kind is not limited. */
public record Amounts(
        @Nullable Long tokens,
        @Nullable Long costMicros,
        @Nullable Long wallMillis,
        @Nullable Long runs,
        @Nullable Long sessions) {
    public static final Amounts NONE = new Amounts(null, null, null, null, null);

    /** The kinds of amounts, in display order. */
    public enum Kind {
        TOKENS,
        COST_MICROS,
        WALL_MILLIS,
        RUNS,
        SESSIONS
    }

    public static Amounts spent(long tokens, long costMicros, long wallMillis) {
        return new Amounts(tokens, costMicros, wallMillis, null, null);
    }

    public @Nullable Long of(Kind kind) {
        return switch (kind) {
            case TOKENS -> tokens;
            case COST_MICROS -> costMicros;
            case WALL_MILLIS -> wallMillis;
            case RUNS -> runs;
            case SESSIONS -> sessions;
        };
    }

    public long orZero(Kind kind) {
        var amount = of(kind);
        return amount == null ? 0 : amount;
    }

    /** Returns these amounts; those that are absent here come from {@code base}. */
    Amounts over(Amounts base) {
        return new Amounts(
                given(tokens, base.tokens),
                given(costMicros, base.costMicros),
                given(wallMillis, base.wallMillis),
                given(runs, base.runs),
                given(sessions, base.sessions));
    }

    private static @Nullable Long given(@Nullable Long own, @Nullable Long base) {
        return own == null ? base : own;
    }

    Amounts without(Set<Kind> kinds) {
        return new Amounts(
                kinds.contains(Kind.TOKENS) ? null : tokens,
                kinds.contains(Kind.COST_MICROS) ? null : costMicros,
                kinds.contains(Kind.WALL_MILLIS) ? null : wallMillis,
                kinds.contains(Kind.RUNS) ? null : runs,
                kinds.contains(Kind.SESSIONS) ? null : sessions);
    }

    /** Returns these limits, no higher than {@code left}; an absent limit stays absent. */
    Amounts clampedTo(Amounts left) {
        return new Amounts(
                less(tokens, left.tokens),
                less(costMicros, left.costMicros),
                less(wallMillis, left.wallMillis),
                less(runs, left.runs),
                less(sessions, left.sessions));
    }

    /** Like {@code clampedTo}, but adds the limits that only {@code left} has. */
    Amounts narrowedTo(Amounts left) {
        return new Amounts(
                least(tokens, left.tokens),
                least(costMicros, left.costMicros),
                least(wallMillis, left.wallMillis),
                least(runs, left.runs),
                least(sessions, left.sessions));
    }

    private static @Nullable Long least(@Nullable Long one, @Nullable Long other) {
        return one == null ? other : less(one, other);
    }

    /** Returns what these limits leave after the spending, at least zero. */
    Amounts minus(Amounts spent) {
        return new Amounts(
                left(tokens, spent.orZero(Kind.TOKENS)),
                left(costMicros, spent.orZero(Kind.COST_MICROS)),
                left(wallMillis, spent.orZero(Kind.WALL_MILLIS)),
                left(runs, spent.orZero(Kind.RUNS)),
                left(sessions, spent.orZero(Kind.SESSIONS)));
    }

    Amounts plus(Amounts more) {
        return new Amounts(
                sum(tokens, more.orZero(Kind.TOKENS)),
                sum(costMicros, more.orZero(Kind.COST_MICROS)),
                sum(wallMillis, more.orZero(Kind.WALL_MILLIS)),
                sum(runs, more.orZero(Kind.RUNS)),
                sum(sessions, more.orZero(Kind.SESSIONS)));
    }

    private static @Nullable Long sum(@Nullable Long amount, long more) {
        return amount == null ? null : Long.valueOf(amount + more);
    }

    private static @Nullable Long left(@Nullable Long max, long spent) {
        return max == null ? null : Math.max(0, max - spent);
    }

    private static @Nullable Long less(@Nullable Long asked, @Nullable Long left) {
        return asked == null || left == null ? asked : Long.valueOf(Math.min(asked, left));
    }
}
