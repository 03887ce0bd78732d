package dev.coppice.session;

import dev.coppice.kernel.Bounds;

import org.jspecify.annotations.Nullable;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * How far a tree may grow below one session. What is absent is inherited. A limit only ever
 * narrows: at the start of a session its limits are clamped to what its parent has left.
 */
public record Limits(Map<Kind, Long> max) {
    public static final Limits NONE = new Limits(Map.of());

    /** What holds where nobody set anything: room for real work, not for a runaway. */
    public static final Limits DEFAULT = defaults();

    public Limits {
        max = Map.copyOf(max);
    }

    /** The things that are limited, each with its default. */
    public enum Kind {
        DEPTH(Bounds.TREE_DEPTH_MAX, "levels of sessions below one"),
        CHILDREN(10_000, "living children of one session"),
        DESCENDANTS(200_000, "living sessions below one"),
        RUNS(2_000, "runs under way, of a session and all below it"),
        EVENT_BYTES(1L << 30, "bytes of events that are kept of a tree"),
        METADATA_BYTES(1L << 30, "bytes of metadata, prompts, results and messages of a tree"),
        OUTPUT_BYTES(8L << 30, "bytes of printed output that are kept of a tree"),
        PROCESSES(4_096, "processes and threads of one run, where control groups limit them"),
        MEMORY_BYTES(16L << 30, "bytes of memory of one run, where control groups limit them");

        private final long byDefault;
        private final String what;

        Kind(long byDefault, String what) {
            this.byDefault = byDefault;
            this.what = what;
        }

        /** The text says what is counted; the default holds where nobody set a limit. */
        public String said() {
            return "%s; %d".formatted(what, byDefault);
        }

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * Such a limit counts a whole tree, as it was when its sessions began, and is set at its
         * root.
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

    /** The limit of this kind that is set here. */
    public @Nullable Long of(Kind kind) {
        return max.get(kind);
    }

    /** The same, with this limit set or, by nothing, not set. */
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

    /** The same, with so much less of one kind, if that is limited here at all. */
    Limits less(Kind kind, long taken) {
        var limit = of(kind);
        return limit == null ? this : with(kind, Math.max(0, limit - taken));
    }

    /** Only narrows what was asked for: asking for nothing stores nothing and inherits. */
    Limits clampedTo(Limits left) {
        var clamped = new EnumMap<Kind, Long>(Kind.class);
        max.forEach((kind, asked) -> clamped.put(kind, Math.min(asked, left.orEndless(kind))));
        return new Limits(clamped);
    }

    /** These limits, completed by inherited ones, which become this session's own. */
    public Limits narrowedTo(Limits left) {
        var narrowed = new EnumMap<Kind, Long>(Kind.class);
        narrowed.putAll(max);
        left.max.forEach((kind, limit) -> narrowed.merge(kind, limit, Math::min));
        return new Limits(narrowed);
    }
}
