package dev.coppice.session;

import dev.coppice.kernel.SessionId;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Frees the names of ended sessions for new ones. The last one that had a name is called {@code
 * name~1} from then on, the one before {@code name~2}, as git names earlier commits.
 */
record FormerNames(Sessions sessions) {
    /** Older ones have a name with their id, so that no start renames more sessions than these. */
    static final int NUMBERED_MAX = 50;

    private static final char MARK = '~';

    /**
     * The session that keeps a new one from this name, if any. Only a root may take the name of an
     * ended session: an agent that starts its child twice must be told, and no agent may take the
     * names of sessions that it cannot see.
     */
    Optional<Session> holder(String name, boolean isForRoot) {
        return sessions.named(name).filter(holder -> !isForRoot || holder.state().isAlive());
    }

    /**
     * Gives the session that has this name another one, and those that had it before, too; returns
     * how many were renamed.
     */
    int free(String name) {
        var holder = sessions.named(name);
        if (holder.isEmpty()) return 0;
        var former = former(name);
        for (int i = former.size(); i > 0; i--) {
            var id = former.get(i - 1);
            sessions.rename(
                    id, i < NUMBERED_MAX ? name + MARK + (i + 1) : name + MARK + MARK + id.value());
        }
        sessions.rename(holder.get().id(), name + MARK + 1);
        return former.size() + 1;
    }

    /** Returns the sessions that had the name, the last one first, up to the first gap. */
    private List<SessionId> former(String name) {
        var ids = new ArrayList<SessionId>();
        while (ids.size() < NUMBERED_MAX) {
            var next = sessions.named(name + MARK + (ids.size() + 1));
            if (next.isEmpty()) return ids;
            ids.add(next.get().id());
        }
        return ids;
    }
}
