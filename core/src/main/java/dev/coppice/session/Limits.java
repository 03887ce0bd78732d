package dev.coppice.session;

import dev.coppice.kernel.Bounds;

import org.jspecify.annotations.Nullable;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Limits on the tree below one session. An absent limit is inherited. Limits only narrow: when a
 * session starts, its limits are clamped to what its parent has left.
 */
public record Limits(Map<Kind, Long> max) {
    public static final Limits NONE = new Limits(Map.of());

    /** The limits if none are set: room for real work, not for a runaway tree. */
    public static final Limits DEFAULT = defaults();

    public Limits {
        max = Map.copyOf(max);
    }

    /** The kinds of limits, with their defaults. */
    public enum Kind {
        DEPTH(Bounds.TREE_DEPTH_MAX, "levels of a tree below its root"),
        CHILDREN(10_000, "live children of a session"),
        DESCENDANTS(200_000, "live sessions below a root"),
        RUNS(2_000, "runs of a tree that have not ended"),
        EVENT_BYTES(1L << 30, "bytes of a tree's events in the journal"),
        METADATA_BYTES(1L << 30, "bytes of a tree's metadata, prompts, results and messages"),
        OUTPUT_BYTES(8L << 30, "bytes that the runs of a tree have printed"),
        PROCESSES(4_096, "processes and threads of one run, where control groups limit them"),
        MEMORY_BYTES(16L << 30, "bytes of memory of one run, where control groups limit them");

        private final long byDefault;
        private final String what;

        Kind(long byDefault, String what) {
            this.byDefault = byDefault;
            this.what = what;
        }

        public String meaning() {
            return what;
        }

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * True if the limit is set at the root and counts every session created in the tree, even
         * if it was detached since.
         */
        public boolean isOfWholeTree() {
            return switch (this) {
                case EVENT_BYTES, METADATA_BYTES, OUTPUT_BYTES -> true;
                case DEPTH, CHILDREN, DESCENDANTS, RUNS, PROCESSES, MEMORY_BYTES -> false;
            };
        }
    }

    private static Limits defaults() {
        var max = new EnumMap<Kind, Long>(Kind.class);
        for (var kind : Kind.values()) max.put(kind, kind.byDefault);
        return new Limits(max);
    }

    /** Returns the limit of this kind, or null if it is not set here. */
    public @Nullable Long of(Kind kind) {
        return max.get(kind);
    }

    /** Returns a copy with this limit; null removes it. */
    public Limits with(Kind kind, @Nullable Number limit) {
        var changed = new EnumMap<Kind, Long>(Kind.class);
        changed.putAll(max);
        if (limit == null) changed.remove(kind);
        else changed.put(kind, limit.longValue());
        return new Limits(changed);
    }

    long orEndless(Kind kind) {
        return max.getOrDefault(kind, Long.MAX_VALUE);
    }

    /** Returns a copy with one limit reduced, at least to zero; an absent limit stays absent. */
    Limits less(Kind kind, long taken) {
        var limit = of(kind);
        return limit == null ? this : with(kind, Math.max(0, limit - taken));
    }

    /** Narrows the limits that are set; an absent limit stays absent, and is inherited. */
    Limits clampedTo(Limits left) {
        var clamped = new EnumMap<Kind, Long>(Kind.class);
        max.forEach((kind, asked) -> clamped.put(kind, Math.min(asked, left.orEndless(kind))));
        return new Limits(clamped);
    }

    /** Narrows the limits that are set, and adds those that only {@code left} has. */
    public Limits narrowedTo(Limits left) {
        var narrowed = new EnumMap<Kind, Long>(Kind.class);
        narrowed.putAll(max);
        left.max.forEach((kind, limit) -> narrowed.merge(kind, limit, Math::min));
        return new Limits(narrowed);
    }
}
