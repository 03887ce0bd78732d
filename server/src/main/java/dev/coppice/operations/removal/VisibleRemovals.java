package dev.coppice.operations.removal;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.operations.Scope;
import dev.coppice.removal.Member;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RemovalState;
import dev.coppice.removal.Removals;
import dev.coppice.request.Context;
import dev.coppice.view.RemovalViews;
import dev.coppice.view.WorkViews;
import dev.coppice.wire.removal.MemberView;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.work.DirectoryTasks;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Finds the removals that a caller may see, and shows them. Joins the current transaction. */
final class VisibleRemovals {
    private static final int NOT_PRESERVED_MAX = 100;
    private static final int SHOWN_MAX = 100;
    private final Scope scope;
    private final Removals removals;
    private final DirectoryTasks tasks;

    VisibleRemovals(Scope scope, Removals removals, DirectoryTasks tasks) {
        this.scope = scope;
        this.removals = removals;
        this.tasks = tasks;
    }

    RemovalView view(Removal removal) {
        return RemovalViews.shown(removal, telling(removal), notPreserved(removal));
    }

    /** Empty for a restored tree: it has lost nothing. */
    private List<RemovalView.NotPreservedView> notPreserved(Removal removal) {
        if (removal.isTakenBack()) return List.of();
        return tasks.notPreserved(removal.id().value(), NOT_PRESERVED_MAX).stream()
                .map(RemovalViews::notPreserved)
                .toList();
    }

    private RemovalView.@Nullable TellingView telling(Removal removal) {
        return switch (removal.state()) {
            case RemovalState.Hiding _ ->
                    telling(removal, Removals.AnnouncementOrder.CHILDREN_FIRST);
            case RemovalState.Undoing _ ->
                    telling(removal, Removals.AnnouncementOrder.PARENTS_FIRST);
            default -> null;
        };
    }

    private RemovalView.TellingView telling(Removal removal, Removals.AnnouncementOrder order) {
        long all = removal.taken().sessions();
        long unannounced = removals.countUnannounced(removal.id());
        var next =
                removals.unannounced(removal.id(), order, 1).stream().map(Member::name).findFirst();
        return new RemovalView.TellingView(all - unannounced, all, next.orElse(null));
    }

    /** The removal with the first of its members and of its preserved work. */
    RemovalView.Whole whole(Removal removal) {
        var id = removal.id().value();
        var members = removals.members(removal.id(), Cursor.first(SHOWN_MAX));
        var found = tasks.found(id, Cursor.first(SHOWN_MAX));
        return new RemovalView.Whole(
                view(removal),
                members.items().stream().map(m -> RemovalViews.shown(m, removal)).toList(),
                members.next() == null ? null : at(RemovalCalls.MEMBERS.path(), id),
                found.items().stream().map(WorkViews::shown).toList(),
                found.next() == null ? null : at(RemovalCalls.WORK.path(), id));
    }

    /** The removal with all of its members, and with preserved work if there is any. */
    RemovalView.Whole complete(Removal removal) {
        var members = new ArrayList<MemberView>();
        var cursor = Cursor.first(Bounds.PAGE_ITEMS_MAX);
        while (true) {
            var page = removals.members(removal.id(), cursor);
            page.items().forEach(m -> members.add(RemovalViews.shown(m, removal)));
            if (page.next() == null) break;
            cursor = new Cursor(page.next(), Bounds.PAGE_ITEMS_MAX);
        }
        var id = removal.id().value();
        var found = tasks.found(id, Cursor.first(Bounds.PAGE_ITEMS_MAX));
        return new RemovalView.Whole(
                view(removal),
                members,
                null,
                found.items().stream().map(WorkViews::shown).toList(),
                found.next() == null ? null : at(RemovalCalls.WORK.path(), id));
    }

    static String at(String path, String removal) {
        return path.replace("{removal_id}", removal);
    }

    /**
     * True if the caller can see the top, or its parent if the top is gone. Agents see no purged
     * removals: another session may have the id of the agent's session by now.
     */
    boolean sees(Context x, Removal removal) {
        boolean purged = removal.state() instanceof RemovalState.Purged;
        if (purged && x.session() != null) return false;
        var parent = removal.top().parent();
        return scope.access().sees(x.caller(), removal.top().id())
                || (parent != null && scope.access().sees(x.caller(), parent));
    }

    /** Applies {@code then} to a removal that the caller may see, in one transaction. */
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
