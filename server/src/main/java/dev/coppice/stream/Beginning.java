package dev.coppice.stream;

import dev.coppice.follow.Followers;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Slice;
import dev.coppice.kernel.Transactions;
import dev.coppice.session.Session;
import dev.coppice.session.SessionFilter;
import dev.coppice.session.Sessions;
import dev.coppice.view.Views;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The first frame of a stream: all sessions, newest first. It is written page by page, so that each
 * of a thousand followers holds one page and not a whole list. The journal's head is read before
 * the sessions, so a change in between is sent twice but never missed.
 */
record Beginning(
        Transactions transactions, Sessions sessions, Followers.Place place, Journal.Scope scope) {
    private static final int SESSIONS_AT_ONCE = 50;

    void write(long head, OutputStream out) throws IOException {
        text(out, "id: %d\nevent: init\ndata: {\"sessions\":[".formatted(head));
        var one = scope.session();
        if (one != null) {
            var only = transactions.read(() -> sessions.find(one));
            if (only.isPresent()) text(out, shown(only.get()));
            text(out, "]}\n\n");
            return;
        }
        var after = page(null, out, true).next();
        while (after != null) after = page(after, out, false).next();
        text(out, "]}\n\n");
    }

    private Slice<Session> page(@Nullable String after, OutputStream out, boolean isFirst)
            throws IOException {
        var filter =
                scope.subtree() == null
                        ? SessionFilter.ALL
                        : SessionFilter.ALL.within(scope.subtree());
        try (var _ = place.holdPage()) {
            var page =
                    transactions.read(
                            () -> sessions.list(filter, new Cursor(after, SESSIONS_AT_ONCE)));
            boolean first = isFirst;
            for (var session : page.items()) {
                text(out, first ? shown(session) : "," + shown(session));
                first = false;
            }
            return page;
        }
    }

    private static String shown(Session session) {
        return Json.write(Views.session(session));
    }

    private static void text(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
