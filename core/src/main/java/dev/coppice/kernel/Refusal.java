package dev.coppice.kernel;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Locale;

/**
 * A request that was understood, but that the rules forbid. Each refusal is the fact that forbids
 * it, with its values and limits, and words it. {@code wire.Code} has the HTTP status and the
 * advice for its code.
 */
public sealed interface Refusal
        permits RequestRefusal,
                SessionRefusal,
                RunRefusal,
                BlueprintRefusal,
                CallbackRefusal,
                RemovalRefusal {
    /**
     * Returns the fact as a sentence without advice: what is refused, why, and the limit. Names and
     * values are in quotes, and numbers have units.
     */
    String said();

    /** Returns the stable code for programs: the record's name in snake case. */
    default String code() {
        return getClass()
                .getSimpleName()
                .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
                .toLowerCase(Locale.ROOT);
    }

    /** Returns why, if the fact has several causes that need different advice; else null. */
    default @Nullable Enum<?> cause() {
        return null;
    }

    /** Returns the names, each in quotes. */
    static String quoted(Collection<String> names) {
        return "'" + String.join("', '", names) + "'";
    }
}
