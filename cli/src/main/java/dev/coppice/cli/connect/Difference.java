package dev.coppice.cli.connect;

import java.util.ArrayList;
import java.util.List;

/** The lines that differ between two texts, as a person reads them before a change. */
final class Difference {
    private static final int CELLS_MAX = 4_000_000;

    private Difference() {}

    /** Returns removed lines with a minus and new ones with a plus. Leaves out the others. */
    static List<String> of(List<String> before, List<String> after) {
        if ((long) before.size() * after.size() > CELLS_MAX) {
            return List.of("%d lines become %d".formatted(before.size(), after.size()));
        }
        var lengths = new int[before.size() + 1][after.size() + 1];
        for (int i = before.size() - 1; i >= 0; i--) {
            for (int j = after.size() - 1; j >= 0; j--) {
                lengths[i][j] =
                        before.get(i).equals(after.get(j))
                                ? lengths[i + 1][j + 1] + 1
                                : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
            }
        }
        var lines = new ArrayList<String>();
        int i = 0;
        int j = 0;
        while (i < before.size() || j < after.size()) {
            boolean isSame =
                    i < before.size() && j < after.size() && before.get(i).equals(after.get(j));
            if (isSame) {
                i++;
                j++;
            } else if (j == after.size()
                    || (i < before.size() && lengths[i + 1][j] >= lengths[i][j + 1])) {
                lines.add("- " + before.get(i++));
            } else {
                lines.add("+ " + after.get(j++));
            }
        }
        return List.copyOf(lines);
    }
}
