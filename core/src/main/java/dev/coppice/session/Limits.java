package dev.coppice.session;

import dev.coppice.kernel.Bounds;

import org.jspecify.annotations.Nullable;

/**
 * How far a tree may grow below one session. What is absent is inherited. A limit only ever
 * narrows: at the start of a session its limits are clamped to what its parent has left.
 */
public record Limits(
        @Nullable Integer depth,
        @Nullable Integer children,
        @Nullable Integer descendants,
        @Nullable Integer runs) {
    public static final Limits NONE = new Limits(null, null, null, null);

    /** What holds where nobody set anything: room for real work, not for a runaway. */
    public static final Limits DEFAULT = new Limits(Bounds.TREE_DEPTH_MAX, 10_000, 200_000, 2_000);

    Limits clampedTo(Limits left) {
        return new Limits(
                less(depth, left.depth),
                less(children, left.children),
                less(descendants, left.descendants),
                less(runs, left.runs));
    }

    /** The same, also where nothing was set: what was inherited until now is its own from here. */
    public Limits narrowedTo(Limits left) {
        return new Limits(
                least(depth, left.depth),
                least(children, left.children),
                least(descendants, left.descendants),
                least(runs, left.runs));
    }

    private static @Nullable Integer least(@Nullable Integer one, @Nullable Integer other) {
        if (one == null || other == null) return one == null ? other : one;
        return Math.min(one, other);
    }

    /** Only narrows what was asked for: asking for nothing stores nothing and inherits. */
    private static @Nullable Integer less(@Nullable Integer asked, @Nullable Integer left) {
        if (asked == null || left == null) return asked;
        return Math.min(asked, left);
    }
}
