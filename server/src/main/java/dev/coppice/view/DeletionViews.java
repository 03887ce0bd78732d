package dev.coppice.view;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.removal.Removal;
import dev.coppice.removal.Removals;
import dev.coppice.wire.removal.DeletionView;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.work.DirectoryTasks;

import java.util.ArrayList;
import java.util.List;

/** Makes the answer of the original's DELETE. Joins the current transaction. */
public final class DeletionViews {
    private static final int NOT_PRESERVED_MAX = 100;
    private final Removals removals;
    private final DirectoryTasks tasks;

    public DeletionViews(Removals removals, DirectoryTasks tasks) {
        this.removals = removals;
        this.tasks = tasks;
    }

    public DeletionView of(Removal r) {
        boolean ok = r.state().hidesSessions();
        var backup = r.backup();
        var recovery = recovery(r);
        var members = new Members();
        if (ok) members.read(r);
        return new DeletionView(
                ok,
                r.top().id().value(),
                r.id().value(),
                ok ? null : "operation_error",
                r.state().word(),
                r.state().why(),
                Views.text(r.times().hidden()),
                Views.text(r.times().undoUntil()),
                new DeletionView.DeletedView(ok, r.taken().events(), r.taken().runs()),
                r.taken().runs(),
                ok && !r.choices().discards() && recovery.partialDeletions().isEmpty(),
                backup == null ? null : backup.file(),
                recovery,
                members.ids,
                members.names,
                members.givenUp,
                Math.max(0, removals.countMembers(r.id()) - 1));
    }

    private final class Members {
        private final List<String> ids = new ArrayList<>();
        private final List<String> names = new ArrayList<>();
        private final List<String> givenUp = new ArrayList<>();

        private void read(Removal r) {
            var cursor = Cursor.first(Bounds.PAGE_ITEMS_MAX);
            while (true) {
                var page = removals.members(r.id(), cursor);
                for (var member : page.items()) {
                    ids.add(member.id().value());
                    names.add(member.name());
                    if (member.givenUp()) givenUp.add(member.id().value());
                }
                if (page.next() == null) return;
                cursor = new Cursor(page.next(), Bounds.PAGE_ITEMS_MAX);
            }
        }
    }

    private DeletionView.RecoveryView recovery(Removal r) {
        var id = r.id().value();
        boolean preserved =
                tasks.found(id, Cursor.first(Bounds.PAGE_ITEMS_MAX)).items().stream()
                        .anyMatch(item -> item.preserved() != null);
        return new DeletionView.RecoveryView(
                r.backup() != null,
                preserved ? RemovalCalls.WORK.path().replace("{removal_id}", id) : null,
                notPreserved(r));
    }

    private List<RemovalView.NotPreservedView> notPreserved(Removal r) {
        if (r.isTakenBack()) return List.of();
        return tasks.notPreserved(r.id().value(), NOT_PRESERVED_MAX).stream()
                .map(RemovalViews::notPreserved)
                .toList();
    }
}
