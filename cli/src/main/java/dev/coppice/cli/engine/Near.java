package dev.coppice.cli.engine;

import dev.coppice.wire.Spelling;

import java.util.Collection;
import java.util.Comparator;
import java.util.stream.Collectors;

/** Finds the known words near a mistyped one. */
public final class Near {
    private static final int SHOWN_MAX = 3;

    private Near() {}

    /** A question that offers the nearest words, or an empty text if none is near. */
    public static String offer(String typed, Collection<String> known) {
        var near =
                known.stream()
                        .distinct()
                        .filter(word -> Spelling.isNear(typed, word))
                        .sorted(
                                Comparator.comparingInt(
                                        (String word) -> Spelling.distance(typed, word)))
                        .limit(SHOWN_MAX)
                        .map(word -> "'" + Shown.clean(word) + "'")
                        .collect(Collectors.joining(" or "));
        return near.isEmpty() ? "" : "Did you mean " + near + "?";
    }
}
