package dev.coppice.store.engine;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A small set of words in one column, one per line. */
public final class Lines {
    private Lines() {}

    public static String joined(Set<String> words) {
        return String.join("\n", new TreeSet<>(words));
    }

    public static Set<String> split(String lines) {
        return lines.isEmpty() ? Set.of() : new LinkedHashSet<>(List.of(lines.split("\n", -1)));
    }
}
