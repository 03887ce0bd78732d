package dev.coppice.cli.look;

import dev.coppice.cli.engine.Connection;
import dev.coppice.wire.Paging;
import dev.coppice.wire.look.OutlineCalls;
import dev.coppice.wire.look.OutlineCalls.RowView;
import dev.coppice.wire.look.TreeCalls;
import dev.coppice.wire.session.SessionView;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/** Reads trees of sessions. */
final class Trees {
    static final int LEVELS = 256;
    private static final int SESSIONS_MAX = 2000;

    private Trees() {}

    /** The sessions of a tree, depth first, up to about SESSIONS_MAX of them. */
    static List<SessionView> sessions(Connection connection, String top) {
        return sessions(connection, top, SESSIONS_MAX);
    }

    /** All sessions of a tree, depth first. */
    static List<SessionView> all(Connection connection, String top) {
        return sessions(connection, top, Integer.MAX_VALUE);
    }

    private static List<SessionView> sessions(Connection connection, String top, int max) {
        var found = new ArrayList<SessionView>();
        String after = null;
        do {
            var below = new TreeCalls.Deep(top, LEVELS, Paging.after(after));
            var page =
                    (TreeCalls.Flat)
                            connection.call(TreeCalls.TREE, new TreeCalls.Whole(below, true));
            found.addAll(page.sessions());
            after = page.next();
        } while (after != null && found.size() < max);
        return found;
    }

    /** Rows of a tree, depth first, and how many follow that were not read. */
    record Read(List<RowView> rows, int left) {}

    /** Reads up to about SESSIONS_MAX rows of a tree. */
    static Read rows(Connection connection, String top, List<String> opened) {
        var found = new ArrayList<RowView>();
        int total;
        do {
            var show =
                    new OutlineCalls.Show(
                            top,
                            LEVELS,
                            opened,
                            null,
                            null,
                            null,
                            found.size(),
                            OutlineCalls.ROWS_MAX,
                            null,
                            null);
            var page = connection.call(OutlineCalls.OUTLINE, show);
            found.addAll(page.rows());
            total = page.rows().isEmpty() ? 0 : page.total();
        } while (found.size() < Math.min(total, SESSIONS_MAX));
        return new Read(found, Math.max(0, total - found.size()));
    }

    /** The same with all folds open, as many as one request may open. */
    static Read allRows(Connection connection, String top) {
        var opened = new LinkedHashSet<String>();
        while (true) {
            var read = rows(connection, top, List.copyOf(opened));
            int before = opened.size();
            for (var row : read.rows()) {
                boolean isClosedFold = row.session() == null && row.openness().equals("closed");
                if (isClosedFold && opened.size() < OutlineCalls.OPENED_MAX) opened.add(row.id());
            }
            if (opened.size() == before) return read;
        }
    }
}
