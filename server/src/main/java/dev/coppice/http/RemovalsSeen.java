package dev.coppice.http;

import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RemovalState;
import dev.coppice.removal.Removals;
import dev.coppice.web.Exchange;
import dev.coppice.web.Problems;
import dev.coppice.web.Reply;

import java.util.function.Function;

/** Which removals a caller may know of. */
final class RemovalsSeen {
    private final Room room;
    private final Removals removals;

    RemovalsSeen(Room room, Removals removals) {
        this.room = room;
        this.removals = removals;
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
