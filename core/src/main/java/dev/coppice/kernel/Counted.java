package dev.coppice.kernel;

import java.util.ArrayList;
import java.util.List;

/** Words a count with its noun, and a list by its first and the number of the others. */
public final class Counted {
    private Counted() {}

    public static String of(long n, String one, String many) {
        return n + " " + (n == 1 ? one : many);
    }

    public static String sessions(long n) {
        return of(n, "session", "sessions");
    }

    /** The first few of many texts, and the number of the others. */
    public static final class Few {
        private static final int SHOWN_MAX = 10;

        private final List<String> first = new ArrayList<>();
        private int more;

        public static Few of(List<String> all) {
            var shown = new Few();
            all.forEach(shown::add);
            return shown;
        }

        public static Few quoted(List<String> names) {
            return of(names.stream().map("'%s'"::formatted).toList());
        }

        public void add(String one) {
            if (first.size() < SHOWN_MAX) first.add(one);
            else more++;
        }

        public boolean isEmpty() {
            return first.isEmpty();
        }

        @Override
        public String toString() {
            return String.join(", ", first) + (more > 0 ? " and %d more".formatted(more) : "");
        }
    }
}
