package dev.coppice.operations.removal;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.operation.Context;
import dev.coppice.operations.Scope;
import dev.coppice.removal.Member;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RemovalState;
import dev.coppice.removal.Removals;
import dev.coppice.view.RemovalViews;
import dev.coppice.view.WorkViews;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.work.Errands;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Function;

/** Which removals a caller may see, and the views of them. Joins the current transaction. */
final class RemovalsSeen {
    private static final int NOT_KEPT_MAX = 100;
    private static final int SHOWN_MAX = 100;
    private final Scope scope;
    private final Removals removals;
    private final Errands errands;

    RemovalsSeen(Scope scope, Removals removals, Errands errands) {
        this.scope = scope;
        this.removals = removals;
        this.errands = errands;
    }

    RemovalView view(Removal removal) {
        return RemovalViews.shown(removal, told(removal), notKept(removal));
    }

    /** A tree that is back has lost nothing. */
    private List<RemovalView.NotKeptView> notKept(Removal removal) {
        if (removal.isTakenBack()) return List.of();
        return errands.notKept(removal.id().value(), NOT_KEPT_MAX).stream()
                .map(RemovalViews::notKept)
                .toList();
    }

    private RemovalView.@Nullable TellingView told(Removal removal) {
        return switch (removal.state()) {
            case RemovalState.Hiding _ -> told(removal, Removals.Telling.CHILDREN_FIRST);
            case RemovalState.Undoing _ -> told(removal, Removals.Telling.PARENTS_FIRST);
            default -> null;
        };
    }

    private RemovalView.TellingView told(Removal removal, Removals.Telling order) {
        long all = removal.taken().sessions();
        long untold = removals.countUntold(removal.id());
        var next = removals.untold(removal.id(), order, 1).stream().map(Member::name).findFirst();
        return new RemovalView.TellingView(all - untold, all, next.orElse(null));
    }

    /** With the first of its sessions and of what was preserved. */
    RemovalView.Whole whole(Removal removal) {
        var id = removal.id().value();
        var members = removals.members(removal.id(), Cursor.first(SHOWN_MAX));
        var found = errands.found(id, Cursor.first(SHOWN_MAX));
        return new RemovalView.Whole(
                view(removal),
                members.items().stream().map(m -> RemovalViews.shown(m, removal)).toList(),
                members.next() == null ? null : at(RemovalCalls.MEMBERS.path(), id),
                found.items().stream().map(WorkViews::shown).toList(),
                found.next() == null ? null : at(RemovalCalls.WORK.path(), id));
    }

    static String at(String path, String removal) {
        return path.replace("{removal_id}", removal);
    }

    /**
     * A caller sees removals of what it could see; if the top itself is gone, those below its
     * parent. After the purge an id may be used again, and its new owner is another session.
     */
    boolean sees(Context x, Removal removal) {
        boolean purged = removal.state() instanceof RemovalState.Purged;
        if (purged && x.session() != null) return false;
        var parent = removal.top().parent();
        return scope.access().sees(x.caller(), removal.top().id())
                || (parent != null && scope.access().sees(x.caller(), parent));
    }

    /** The removal with this id, if the caller may see it, in one transaction with what follows. */
    <T> Outcome<T> reading(Context x, String id, Function<Removal, T> then) {
        return scope.transactions().read(() -> find(x, id).map(then));
    }

    Outcome<Removal> find(Context x, String id) {
        return removals.find(new RemovalId(id))
                .filter(r -> sees(x, r))
                .<Outcome<Removal>>map(Outcome::done)
                .orElseGet(() -> Outcome.refused(new RemovalRefusal.RemovalUnknown(id)));
    }
}
