package dev.coppice.store;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A small set of words in one column, one per line. */
final class Lines {
    private Lines() {}

    static String joined(Set<String> words) {
        return String.join("\n", new TreeSet<>(words));
    }

    static Set<String> split(String lines) {
        return lines.isEmpty() ? Set.of() : new LinkedHashSet<>(List.of(lines.split("\n", -1)));
    }
}
