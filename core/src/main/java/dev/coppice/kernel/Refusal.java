package dev.coppice.kernel;

import java.util.Locale;

/**
 * The request was understood and the rules say no. Each refusal is the fact that forbids; it says
 * what was refused and why, with the value and the limit, and what to do next. Each edge translates
 * refusals in one exhaustive switch.
 */
public sealed interface Refusal
        permits RequestRefusal,
                SessionRefusal,
                RunRefusal,
                BlueprintRefusal,
                CallbackRefusal,
                RemovalRefusal {
    /** The fact as a sentence. */
    default String said() {
        return Facts.of(this);
    }

    /** The stable word for programs: the fact's name in snake case. */
    default String code() {
        return getClass()
                .getSimpleName()
                .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
                .toLowerCase(Locale.ROOT);
    }
}
