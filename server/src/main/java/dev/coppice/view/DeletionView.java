package dev.coppice.view;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.removal.Removal;
import dev.coppice.removal.Removals;
import dev.coppice.wire.Json;
import dev.coppice.work.Errands;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/** What the original's deletion tells: what went, what was kept, and how to get it back. */
public final class DeletionView {
    private static final int NOT_KEPT_MAX = 100;
    private final Removals removals;
    private final Errands errands;

    public DeletionView(Removals removals, Errands errands) {
        this.removals = removals;
        this.errands = errands;
    }

    /** Reads within the transaction under way. */
    public ObjectNode of(Removal r) {
        boolean ok = r.state().isOutOfSight();
        var body =
                Json.object()
                        .put("ok", ok)
                        .put("session_id", r.top().id().value())
                        .put("removal_id", r.id().value())
                        .put("error", ok ? null : "operation_error")
                        .put("state", r.state().word())
                        .put("reason", r.state().why())
                        .put("hidden_at", RemovalViews.text(r.times().hidden()))
                        .put("undo_until", RemovalViews.text(r.times().undoUntil()));
        body.putObject("deleted")
                .put("session", ok)
                .put("events_count", r.taken().events())
                .put("runs_count", r.taken().runs());
        body.put("runs_removed_from_cache", r.taken().runs());
        kept(body, r);
        var ids = body.putArray("removed_session_ids");
        var names = body.putArray("removed_session_names");
        var givenUp = body.putArray("given_up_session_ids");
        long count = removals.countMembers(r.id());
        body.put("cascaded_children_count", Math.max(0, count - 1));
        var cursor = Cursor.first(Bounds.PAGE_ITEMS_MAX);
        while (ok) {
            var page = removals.members(r.id(), cursor);
            for (var member : page.items()) {
                ids.add(member.id().value());
                names.add(member.name());
                if (member.givenUp()) givenUp.add(member.id().value());
            }
            if (page.next() == null) break;
            cursor = new Cursor(page.next(), Bounds.PAGE_ITEMS_MAX);
        }
        return body;
    }

    /** What the seed's tool tells of recovery. */
    private void kept(ObjectNode body, Removal r) {
        var id = r.id().value();
        var backup = r.backup();
        boolean preserved =
                errands.found(id, Cursor.first(Bounds.PAGE_ITEMS_MAX)).items().stream()
                        .anyMatch(item -> item.kept() != null);
        body.put("work_preserved", preserved)
                .put("backup_path", backup == null ? null : backup.file());
        var recovery = body.putObject("recovery_info").put("backup_available", backup != null);
        recovery.put("preservation_path", preserved ? "/removals/" + id + "/work" : null);
        var without = errands.notKept(id, NOT_KEPT_MAX);
        recovery.set("partial_deletions", Json.tree(r.isTakenBack() ? List.of() : without));
    }
}
