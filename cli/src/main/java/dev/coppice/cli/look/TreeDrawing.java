package dev.coppice.cli.look;

import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Width;
import dev.coppice.wire.session.SessionView;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Draws the sessions of a tree as lines that fit the terminal. */
record TreeDrawing(int columns, Instant now) {
    private static final int NAME_WIDTH = 40;
    private static final int NAME_WIDTH_MIN = 12;
    private static final int REASON_MAX = 60;

    /** The width of the state with its sign, and of the age. */
    private static final int STATE_WIDTH = 12;

    private static final int AGE_WIDTH = 6;

    /** A line, and how to show its state in colour. */
    record Line(String text, String state) {
        String coloured() {
            return text.replaceFirst(
                    " " + java.util.regex.Pattern.quote(Shown.state(state)),
                    " " + Shown.colouredState(state));
        }
    }

    /** Draws sessions sorted depth first; the following ones decide whether a branch continues. */
    List<Line> lines(List<SessionView> sessions) {
        int top = sessions.getFirst().depth();
        int width = nameWidth();
        var lines = new ArrayList<Line>();
        for (int i = 0; i < sessions.size(); i++) {
            var session = sessions.get(i);
            var name = Shown.clean(session.sessionName());
            var branches = branches(sessions, i, top);
            if (branches.length() > width / 2) branches = "⋯%d ".formatted(session.depth() - top);
            var text =
                    "%s %s  %s%s"
                            .formatted(
                                    Width.padded(Width.cut(branches + name, width), width),
                                    Shown.state(session.state()),
                                    Shown.age(session, now),
                                    remark(session));
            lines.add(new Line(Width.cut(text, columns), session.state()));
        }
        return lines;
    }

    private int nameWidth() {
        int left = columns - STATE_WIDTH - AGE_WIDTH - 3;
        return Math.max(NAME_WIDTH_MIN, Math.min(NAME_WIDTH, left));
    }

    private static String branches(List<SessionView> sessions, int at, int top) {
        int depth = sessions.get(at).depth();
        var text = new StringBuilder();
        for (int level = top + 1; level <= depth; level++) {
            boolean more = goesOn(sessions, at, level);
            text.append(level == depth ? (more ? "├─ " : "└─ ") : (more ? "│  " : "   "));
        }
        return text.toString();
    }

    private static boolean goesOn(List<SessionView> sessions, int at, int level) {
        for (int i = at + 1; i < sessions.size(); i++) {
            int depth = sessions.get(i).depth();
            if (depth < level) return false;
            if (depth == level) return true;
        }
        return false;
    }

    private static String remark(SessionView session) {
        var marks = session.frozenAt() == null ? "" : "  frozen";
        var abandoned = session.abandonedAt() == null ? "" : "  abandoned";
        return marks + abandoned + reason(session);
    }

    private static String reason(SessionView session) {
        var reason = Shown.line(session.reason());
        if (reason.isEmpty() || session.state().equals("finished")) return "";
        return "  " + Width.cut(reason, REASON_MAX);
    }
}
