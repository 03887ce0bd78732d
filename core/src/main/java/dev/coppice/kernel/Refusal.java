package dev.coppice.kernel;

import java.util.Locale;

/**
 * A request that was understood, but that the rules forbid. Each refusal is the fact that forbids
 * it, with its values and limits. Each edge translates refusals in one exhaustive switch, and adds
 * what to do next.
 */
public sealed interface Refusal
        permits RequestRefusal,
                SessionRefusal,
                RunRefusal,
                BlueprintRefusal,
                CallbackRefusal,
                RemovalRefusal {
    /** Returns the fact as a sentence. */
    default String said() {
        return Facts.of(this);
    }

    /** Returns the stable code for programs: the record's name in snake case. */
    default String code() {
        return getClass()
                .getSimpleName()
                .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
                .toLowerCase(Locale.ROOT);
    }
}
