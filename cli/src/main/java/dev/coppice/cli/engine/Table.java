package dev.coppice.cli.engine;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Formats rows under headings, in aligned columns that fit the terminal. */
public final class Table {
    private static final int GAP = 2;

    /** A column is cut no shorter than this. */
    private static final int WIDTH_MIN = 6;

    private Table() {}

    public static String of(List<String> headings, List<List<String>> rows, Console console) {
        int columns = console.size().columns();
        var all = new ArrayList<>(List.of(headings));
        all.addAll(rows);
        var widths = fitted(widths(all), columns);
        var text = new StringBuilder();
        for (var row : all) text.append(Width.cut(line(row, widths), columns)).append('\n');
        return text.toString();
    }

    private static int[] widths(List<List<String>> rows) {
        return IntStream.range(0, rows.getFirst().size())
                .map(i -> rows.stream().mapToInt(row -> Width.of(row.get(i))).max().orElse(0))
                .toArray();
    }

    /** Narrows the widest column until the line fits, or all are as narrow as allowed. */
    private static int[] fitted(int[] widths, int columns) {
        var fitted = widths.clone();
        while (Arrays.stream(fitted).sum() + GAP * (long) (fitted.length - 1) > columns) {
            int widest = 0;
            for (int i = 1; i < fitted.length; i++) if (fitted[i] >= fitted[widest]) widest = i;
            if (fitted[widest] <= WIDTH_MIN) break;
            fitted[widest]--;
        }
        return fitted;
    }

    private static String line(List<String> cells, int[] widths) {
        var text = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            var cell = Width.cut(cells.get(i), widths[i]);
            text.append(Width.padded(cell, widths[i] + GAP));
        }
        return text.toString().stripTrailing();
    }

    /** Prints how to get the next page, if there is one. */
    public static void more(@Nullable String next, Console console) {
        if (next != null) console.err().println("more: pass --after " + Shown.clean(next));
    }
}
