package dev.coppice.cli.look;

import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Terminal;
import dev.coppice.cli.engine.Width;
import dev.coppice.wire.look.OutlineCalls.RowView;
import dev.coppice.wire.look.OutlineCalls.TallyView;
import dev.coppice.wire.session.SessionView;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Draws the rows of a tree as lines that fit the terminal. */
record TreeDrawing(int columns, Instant now) {
    private static final int NAME_WIDTH_MIN = 12;
    private static final int NAME_WIDTH_MAX = 48;
    private static final int GAP = 2;

    /** A line, and how to show its state in colour. */
    record Line(String text, String state) {
        String coloured() {
            return text.replaceFirst(
                    " " + Pattern.quote(Shown.state(state)),
                    " " + Matcher.quoteReplacement(Shown.colouredState(state)));
        }
    }

    /** The texts of a row, one for each column. */
    private record Cells(String name, String state, String time, String rest) {}

    /** Draws trees, each depth first, with their columns below each other. */
    List<List<Line>> trees(List<Trees.Read> trees) {
        var cells = trees.stream().map(tree -> cells(tree.rows())).toList();
        // The rest of the line tells what each session does.
        boolean isCut = columns < Terminal.Size.UNLIMITED.columns();
        int most = isCut ? Math.min(NAME_WIDTH_MAX, columns * 2 / 5) : columns;
        int name = width(cells, most, Cells::name);
        int state = width(cells, columns, cell -> Shown.state(cell.state()));
        int time = width(cells, columns, Cells::time);
        name = Math.max(NAME_WIDTH_MIN, Math.min(name, columns - state - time - 2 * GAP));
        var drawn = new ArrayList<List<Line>>();
        for (var tree : cells) {
            var lines = new ArrayList<Line>();
            for (var cell : tree) lines.add(line(cell, name, state, time));
            int left = trees.get(drawn.size()).left();
            if (left > 0) lines.add(more(left));
            drawn.add(lines);
        }
        return drawn;
    }

    private Line more(int left) {
        var said = "… %d more; name a session of it to see what is below".formatted(left);
        return new Line(Width.cut(said, columns), "");
    }

    private static int width(List<List<Cells>> trees, int most, Function<Cells, String> column) {
        int width = 0;
        for (var tree : trees) {
            for (var cell : tree) width = Math.max(width, Width.of(column.apply(cell)));
        }
        return Math.min(width, most);
    }

    private Line line(Cells cell, int name, int state, int time) {
        var text =
                Width.padded(Width.cut(cell.name(), name), name + GAP)
                        + Width.padded(Shown.state(cell.state()), state + GAP)
                        + Width.padded(cell.time(), time + GAP)
                        + cell.rest();
        return new Line(Width.cut(text.stripTrailing(), columns), cell.state());
    }

    private List<Cells> cells(List<RowView> rows) {
        var cells = new ArrayList<Cells>();
        var more = new ArrayList<Boolean>();
        for (var row : rows) {
            while (more.size() > row.level()) more.removeLast();
            more.add(row.place() < row.siblings());
            var session = row.session();
            var before = branches(more);
            cells.add(session == null ? fold(before, row) : cells(before, row, session));
        }
        return cells;
    }

    /** The lines that lead to a row; below many levels, the number of its level. */
    private String branches(List<Boolean> more) {
        int level = more.size() - 1;
        if (level == 0) return "";
        if (level * 3 > Math.min(NAME_WIDTH_MAX, columns / 2) / 2) return "⋯%d ".formatted(level);
        var text = new StringBuilder();
        for (int i = 1; i < level; i++) text.append(more.get(i) ? "│  " : "   ");
        return text.append(more.getLast() ? "├─ " : "└─ ").toString();
    }

    private Cells cells(String before, RowView row, SessionView session) {
        var rest = new ArrayList<String>();
        if (session.frozenAt() != null) rest.add("frozen");
        if (session.abandonedAt() != null) rest.add("abandoned");
        rest.add(below(row.tally(), session));
        rest.add(Shown.headline(session.headline()));
        rest.removeIf(String::isEmpty);
        return new Cells(
                before + Shown.clean(session.sessionName()),
                Shown.stateOf(session),
                Shown.age(session, now),
                String.join("  ", rest));
    }

    /** Counts the sessions below this one that failed, ask, were stopped or still work. */
    private static String below(TallyView tally, SessionView session) {
        boolean isLive = session.endedAt() == null;
        boolean isFailed = Shown.isFailure(session.state());
        boolean isStopped = session.state().equals("stopped");
        var parts = new ArrayList<String>();
        count(tally.failed() - (isFailed ? 1 : 0), "failed", parts);
        int asking = tally.asking() - (Shown.isAsking(session) ? 1 : 0);
        count(asking, "asking", parts);
        if (!isStopped) count(tally.stopped(), "stopped", parts);
        // Live sessions below a session at work are expected.
        if (!isLive || session.state().equals("idle")) {
            count(tally.live() - (isLive ? 1 : 0) - asking, "at work", parts);
        }
        return parts.isEmpty() ? "" : String.join(", ", parts) + " below";
    }

    /** Many siblings of a kind in one line. */
    private static Cells fold(String before, RowView row) {
        var tally = row.tally();
        var parts = new ArrayList<String>();
        count(tally.live() - tally.asking(), "at work", parts);
        count(tally.asking(), "asking", parts);
        count(tally.failed(), "failed", parts);
        count(tally.stopped(), "stopped", parts);
        count(tally.finished(), "finished", parts);
        var state = tally.live() > 0 ? "running" : tally.failed() > 0 ? "failed" : "finished";
        var name = before + "%d × %s".formatted(tally.all(), Shown.clean(row.kind()));
        return new Cells(name, state, "", String.join(", ", parts));
    }

    private static void count(int number, String what, List<String> parts) {
        if (number > 0) parts.add(number + " " + what);
    }
}
