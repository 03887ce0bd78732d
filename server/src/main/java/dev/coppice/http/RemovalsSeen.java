package dev.coppice.http;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.removal.Member;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RemovalState;
import dev.coppice.removal.Removals;
import dev.coppice.view.RemovalViews;
import dev.coppice.view.WorkViews;
import dev.coppice.web.Exchange;
import dev.coppice.web.Problems;
import dev.coppice.web.Reply;
import dev.coppice.wire.Json;
import dev.coppice.work.Errands;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.function.Function;

/** Which removals a caller may know of, and what is shown of them. */
final class RemovalsSeen {
    private final Room room;
    private static final int NOT_KEPT_MAX = 100;
    private static final int SHOWN_MAX = 100;
    private final Removals removals;
    private final Errands errands;

    RemovalsSeen(Room room, Removals removals, Errands errands) {
        this.room = room;
        this.removals = removals;
        this.errands = errands;
    }

    ObjectNode shown(Removal removal) {
        var body = RemovalViews.shown(removal, told(removal));
        // Of a tree that is back nothing was lost.
        var notKept =
                removal.isTakenBack()
                        ? List.of()
                        : errands.notKept(removal.id().value(), NOT_KEPT_MAX);
        body.set("not_kept", Json.tree(notKept));
        return body;
    }

    private RemovalViews.@Nullable Told told(Removal removal) {
        return switch (removal.state()) {
            case RemovalState.Hiding _ -> told(removal, Removals.Telling.CHILDREN_FIRST);
            case RemovalState.Undoing _ -> told(removal, Removals.Telling.PARENTS_FIRST);
            default -> null;
        };
    }

    private RemovalViews.Told told(Removal removal, Removals.Telling order) {
        long all = removal.taken().sessions();
        long untold = removals.countUntold(removal.id());
        var next = removals.untold(removal.id(), order, 1).stream().map(Member::name).findFirst();
        return new RemovalViews.Told(all - untold, all, next.orElse(null));
    }

    /** With what became of each session, and what was kept and where: the first of them. */
    ObjectNode whole(Removal removal) {
        var body = shown(removal);
        var members = removals.members(removal.id(), Cursor.first(SHOWN_MAX));
        var outcomes = body.putArray("outcomes");
        members.items().forEach(m -> outcomes.add(RemovalViews.shown(m, removal)));
        body.put("more_outcomes", members.next() == null ? null : at(removal, "/sessions"));
        var found = errands.found(removal.id().value(), Cursor.first(SHOWN_MAX));
        var kept = body.putArray("kept");
        found.items().forEach(i -> kept.add(WorkViews.shown(i)));
        return body.put("more_kept", found.next() == null ? null : at(removal, "/work"));
    }

    private static String at(Removal removal, String what) {
        return "/removals/" + removal.id() + what;
    }

    /**
     * Those below oneself; where the session itself has gone, those below its parent. After the
     * purge an id may be used again, and its new owner is not the old one.
     */
    boolean sees(Exchange x, Removal removal) {
        boolean purged = removal.state() instanceof RemovalState.Purged;
        if (purged && x.caller().session() != null) return false;
        var parent = removal.top().parent();
        return room.access().sees(x.caller(), removal.top().id())
                || (parent != null && room.access().sees(x.caller(), parent));
    }

    /** The one named in the path, read in one transaction with what follows. */
    Reply one(Exchange x, Function<Removal, Reply> then) {
        var id = new RemovalId(x.path("removal"));
        return room.transactions()
                .read(() ->
                        removals.find(id)
                                .filter(r -> sees(x, r))
                                .map(then)
                                .orElseGet(() -> Problems.reply(unknown(id))));
    }

    static RemovalRefusal unknown(RemovalId id) {
        return new RemovalRefusal.RemovalUnknown(id.value());
    }
}
