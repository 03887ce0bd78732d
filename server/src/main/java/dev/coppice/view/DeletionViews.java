package dev.coppice.view;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.removal.Removal;
import dev.coppice.removal.Removals;
import dev.coppice.wire.removal.DeletionView;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.work.Errands;

import java.util.ArrayList;
import java.util.List;

/** The answer of the original's deletion. Joins the current transaction. */
public final class DeletionViews {
    private static final int NOT_KEPT_MAX = 100;
    private final Removals removals;
    private final Errands errands;

    public DeletionViews(Removals removals, Errands errands) {
        this.removals = removals;
        this.errands = errands;
    }

    public DeletionView of(Removal r) {
        boolean ok = r.state().isOutOfSight();
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
                recovery.preservationPath() != null,
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
                errands.found(id, Cursor.first(Bounds.PAGE_ITEMS_MAX)).items().stream()
                        .anyMatch(item -> item.kept() != null);
        return new DeletionView.RecoveryView(
                r.backup() != null,
                preserved ? RemovalCalls.WORK.path().replace("{removal_id}", id) : null,
                notKept(r));
    }

    private List<RemovalView.NotKeptView> notKept(Removal r) {
        if (r.isTakenBack()) return List.of();
        return errands.notKept(r.id().value(), NOT_KEPT_MAX).stream()
                .map(RemovalViews::notKept)
                .toList();
    }
}
