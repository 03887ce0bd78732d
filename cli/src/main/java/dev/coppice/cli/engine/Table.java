package dev.coppice.cli.engine;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.IntStream;

/** Formats rows under headings, in aligned columns. */
public final class Table {
    private Table() {}

    public static String of(List<String> headings, List<List<String>> rows) {
        var widths =
                IntStream.range(0, headings.size())
                        .map(i ->
                                Math.max(
                                        headings.get(i).length(),
                                        rows.stream()
                                                .mapToInt(r -> r.get(i).length())
                                                .max()
                                                .orElse(0)))
                        .toArray();
        var text = new StringBuilder(line(headings, widths));
        rows.forEach(row -> text.append(line(row, widths)));
        return text.toString();
    }

    private static String line(List<String> cells, int[] widths) {
        var text = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            text.append(cells.get(i)).append(" ".repeat(widths[i] - cells.get(i).length() + 2));
        }
        return text.toString().stripTrailing() + "\n";
    }

    /** Prints how to get the next page, if there is one. */
    public static void more(@Nullable String next, Console console) {
        if (next != null) console.err().println("more: pass --after " + Shown.clean(next));
    }
}
