package dev.coppice.http;

import dev.coppice.access.Need;
import dev.coppice.audit.Audit;
import dev.coppice.audit.AuditChain;
import dev.coppice.audit.AuditRecord;
import dev.coppice.kernel.Bounds;
import dev.coppice.view.AuditViews;
import dev.coppice.web.Exchange;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reading the audit, checking that nobody has meddled with it, and taking it away as text. */
public final class AuditRoutes {
    private final Room room;
    private final Audit audit;

    public AuditRoutes(Room room, Audit audit) {
        this.room = room;
        this.audit = audit;
    }

    public List<Route> routes() {
        return List.of(
                Route.get(
                                "/audit",
                                Need.READ_AUDIT,
                                "List who did what, the newest first",
                                this::list)
                        .with(
                                new Route.Query(
                                        "session_id",
                                        "only about this session, and removals that took it along"),
                                new Route.Query("after", "the cursor 'next' of the page before"),
                                new Route.Query("limit", "how many at most; 100 by default")),
                Route.get(
                                "/audit/verify",
                                Need.READ_AUDIT,
                                "Find changed, missing or reordered records",
                                this::verify)
                        .with(
                                new Route.Query(
                                        "head", "a hash written down elsewhere; it must be there")),
                Route.get(
                        "/audit/export",
                        Need.READ_AUDIT,
                        "All of it as JSON lines, oldest first",
                        _ -> new Reply.Stream(this::export)));
    }

    private Reply list(Exchange x) {
        var cursor = x.cursor();
        var session = Room.ASKED.sessionId(x.query("session_id"));
        return room.transactions()
                .read(() -> {
                    var page = audit.list(session, cursor);
                    var body = Json.object();
                    var records = body.putArray("records");
                    page.items().forEach(r -> records.add(AuditViews.shown(r)));
                    return Reply.ok(body.put("next", page.next()));
                });
    }

    private Reply verify(Exchange x) {
        var check = new AuditChain.Check(x.query("head"));
        long last = 0;
        while (true) {
            var page = pageAfter(last);
            page.forEach(check::read);
            if (page.isEmpty()) return Reply.ok(AuditViews.shown(check));
            last = page.getLast().number();
        }
    }

    private List<AuditRecord> pageAfter(long number) {
        return room.transactions().read(() -> audit.after(number, null, Bounds.PAGE_ITEMS_MAX));
    }

    private void export(OutputStream out) throws IOException {
        long last = 0;
        while (true) {
            var page = pageAfter(last);
            if (page.isEmpty()) return;
            var text = new StringBuilder();
            page.forEach(r -> text.append(AuditViews.shown(r)).append('\n'));
            out.write(text.toString().getBytes(StandardCharsets.UTF_8));
            out.flush();
            last = page.getLast().number();
        }
    }
}
