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

    /** An amount for each kind. */
    private interface Each {
        @Nullable Long of(Kind kind);
    }

    private static Amounts each(Each amount) {
        return new Amounts(
                amount.of(Kind.TOKENS),
                amount.of(Kind.COST_MICROS),
                amount.of(Kind.WALL_MILLIS),
                amount.of(Kind.RUNS),
                amount.of(Kind.SESSIONS));
    }

    /** Returns these amounts; those that are absent here come from {@code base}. */
    Amounts over(Amounts base) {
        return each(kind -> of(kind) == null ? base.of(kind) : of(kind));
    }

    Amounts without(Set<Kind> kinds) {
        return each(kind -> kinds.contains(kind) ? null : of(kind));
    }

    /** Returns these limits, no higher than {@code left}; an absent limit stays absent. */
    Amounts clampedTo(Amounts left) {
        return each(kind -> less(of(kind), left.of(kind)));
    }

    /** Like {@code clampedTo}, but adds the limits that only {@code left} has. */
    Amounts narrowedTo(Amounts left) {
        return each(kind -> of(kind) == null ? left.of(kind) : less(of(kind), left.of(kind)));
    }

    /** Returns what these limits leave after the spending, at least zero. */
    Amounts minus(Amounts spent) {
        return each(kind -> left(of(kind), spent.orZero(kind)));
    }

    Amounts plus(Amounts more) {
        return each(kind -> sum(of(kind), more.orZero(kind)));
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
