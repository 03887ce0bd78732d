package dev.coppice.cli.look;

import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Width;
import dev.coppice.wire.session.SessionView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Draws the times of sessions as bars on one scale that fits the terminal. */
record TimelineDrawing(int columns, Instant now) {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("MM-dd HH:mm");
    private static final Set<String> FAILED = Set.of("failed", "timed_out", "lost");
    private static final int COLUMNS_MAX = 120;
    private static final int NAME_WIDTH_MAX = 28;
    private static final int NAME_WIDTH_MIN = 8;

    /** The width of a state with its sign, and of a length of time. */
    private static final int STATE_WIDTH = 11;

    private static final int LENGTH_WIDTH = 6;
    private static final int BAR_WIDTH_MIN = 10;
    private static final int GAPS = 3;

    /** The times of a session, cut to what is shown. */
    private record Bar(SessionView session, int depth, Instant from, Instant to) {}

    /** The mapping of times to the columns of a bar. */
    private record Scale(Instant from, Instant to, int width) {
        int at(Instant time) {
            long whole = Math.max(1, Duration.between(from, to).toMillis());
            long part = Duration.between(from, time).toMillis();
            return (int) Math.max(0, Math.min(width - 1, part * width / whole));
        }
    }

    /** The lines of sessions sorted depth first, below a line with the ends of the scale. */
    List<TreeDrawing.Line> lines(List<SessionView> sessions, @Nullable Instant since) {
        var bars = bars(sessions, since);
        if (bars.isEmpty()) return List.of();
        int room = Math.min(columns, COLUMNS_MAX);
        int names = nameWidth(bars, room);
        int width = Math.max(BAR_WIDTH_MIN, room - names - STATE_WIDTH - LENGTH_WIDTH - GAPS);
        var scale =
                new Scale(
                        bars.stream().map(Bar::from).min(Comparator.naturalOrder()).orElseThrow(),
                        bars.stream().map(Bar::to).max(Comparator.naturalOrder()).orElseThrow(),
                        width);
        var lines = new ArrayList<TreeDrawing.Line>();
        lines.add(new TreeDrawing.Line(Width.cut(head(scale, names), columns), ""));
        for (var bar : bars) {
            var name = "  ".repeat(bar.depth()) + Shown.clean(bar.session().sessionName());
            var text =
                    "%s %s %s %s"
                            .formatted(
                                    Width.padded(Width.cut(name, names), names),
                                    drawn(bar, scale),
                                    Width.padded(Shown.state(bar.session().state()), STATE_WIDTH),
                                    Shown.length(Duration.between(bar.from(), bar.to())));
            var line = Width.cut(text.stripTrailing(), columns);
            lines.add(new TreeDrawing.Line(line, bar.session().state()));
        }
        return lines;
    }

    private List<Bar> bars(List<SessionView> sessions, @Nullable Instant since) {
        var bars = new ArrayList<Bar>();
        for (var session : sessions) {
            var started = session.startedAt();
            if (started == null) continue;
            var from = Instant.parse(started);
            var to = session.endedAt() == null ? now : Instant.parse(session.endedAt());
            if (since != null && to.isBefore(since)) continue;
            var cut = since != null && from.isBefore(since) ? since : from;
            int depth = session.depth() - sessions.getFirst().depth();
            bars.add(new Bar(session, depth, cut, to.isBefore(cut) ? cut : to));
        }
        return bars;
    }

    private static int nameWidth(List<Bar> bars, int room) {
        int longest =
                bars.stream()
                        .mapToInt(b -> 2 * b.depth() + Width.of(b.session().sessionName()))
                        .max()
                        .orElse(NAME_WIDTH_MIN);
        int most = Math.min(NAME_WIDTH_MAX, room / 3);
        return Math.max(NAME_WIDTH_MIN, Math.min(most, longest));
    }

    private static String head(Scale scale, int names) {
        var format = Duration.between(scale.from(), scale.to()).toDays() > 0 ? DAY : CLOCK;
        var from = format.format(scale.from().atZone(ZoneId.systemDefault()));
        var to = format.format(scale.to().atZone(ZoneId.systemDefault()));
        int gap = scale.width() - from.length() - to.length();
        var ends = gap < 1 ? from : from + " ".repeat(gap) + to;
        return " ".repeat(names + 1) + ends;
    }

    private static String drawn(Bar bar, Scale scale) {
        int from = scale.at(bar.from());
        int to = scale.at(bar.to());
        var text = new StringBuilder(" ".repeat(from)).append("━".repeat(to - from + 1));
        var state = bar.session().state();
        if (bar.session().endedAt() == null) text.setCharAt(to, state.equals("idle") ? '┅' : '▶');
        else if (FAILED.contains(state)) text.setCharAt(to, '✗');
        return text + " ".repeat(scale.width() - to - 1);
    }
}
