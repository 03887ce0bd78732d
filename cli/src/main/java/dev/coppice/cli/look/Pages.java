package dev.coppice.cli.look;

import java.util.ArrayList;
import java.util.List;

/** Trees cut into pages of a screen. The root of the tree in which a page begins stays on top. */
record Pages(List<List<TreeDrawing.Line>> trees, int rows) {
    /** A page shows at least the root and two of its descendants. */
    private static final int ROWS_MIN = 4;

    /** A line, its place in its tree, and the line of its root. */
    private record Rooted(TreeDrawing.Line line, int place, TreeDrawing.Line root) {
        boolean isRoot() {
            return place == 0;
        }
    }

    List<TreeDrawing.Line> page(int number) {
        var pages = all();
        return pages.isEmpty() ? List.of() : pages.get(number % pages.size());
    }

    String footer(int number) {
        int count = all().size();
        return count < 2
                ? ""
                : "page %d of %d: Enter turns, Ctrl-C ends\n".formatted(number % count + 1, count);
    }

    private List<List<TreeDrawing.Line>> all() {
        var lines = new ArrayList<Rooted>();
        for (var tree : trees) {
            for (int i = 0; i < tree.size(); i++) {
                lines.add(new Rooted(tree.get(i), i, tree.getFirst()));
            }
        }
        // The last row stays empty: a line end there would scroll the first one out.
        int room = Math.max(ROWS_MIN, rows) - 1;
        if (lines.size() <= room) {
            return lines.isEmpty() ? List.of() : List.of(plain(lines));
        }
        var pages = new ArrayList<List<TreeDrawing.Line>>();
        for (int at = 0; at < lines.size(); ) {
            var page = new ArrayList<TreeDrawing.Line>();
            if (!lines.get(at).isRoot()) page.add(lines.get(at).root());
            while (at < lines.size() && page.size() < room - 1) page.add(lines.get(at++).line());
            pages.add(page);
        }
        return pages;
    }

    private static List<TreeDrawing.Line> plain(List<Rooted> lines) {
        return lines.stream().map(Rooted::line).toList();
    }
}
