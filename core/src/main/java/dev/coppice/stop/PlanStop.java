package dev.coppice.stop;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.session.Session;
import dev.coppice.session.Sessions;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Finds the sessions that a stop would end. Joins the current transaction. */
public final class PlanStop {
    private final Sessions sessions;

    public PlanStop(Sessions sessions) {
        this.sessions = sessions;
    }

    /**
     * The first live sessions below a session that end with it: all of them in a stop of the tree;
     * in a stop of the session alone, those that are stopped with their parent.
     */
    public record Plan(List<Session> withTree, List<Session> withSession) {
        public Plan {
            withTree = List.copyOf(withTree);
            withSession = List.copyOf(withSession);
        }
    }

    public Plan plan(Session top) {
        return new Plan(livingBelow(top.id()), stoppedWith(top.id()));
    }

    private List<Session> livingBelow(SessionId top) {
        var living = new ArrayList<Session>();
        var cursor = Cursor.first(Bounds.PAGE_ITEMS_MAX);
        while (true) {
            var page = sessions.descendants(top, Bounds.TREE_DEPTH_MAX, cursor);
            page.items().stream().filter(s -> s.state().isAlive()).forEach(living::add);
            if (page.next() == null || living.size() >= Bounds.PAGE_ITEMS_MAX) return living;
            cursor = new Cursor(page.next(), Bounds.PAGE_ITEMS_MAX);
        }
    }

    private List<Session> stoppedWith(SessionId top) {
        var found = new ArrayList<Session>();
        var parents = new ArrayDeque<>(List.of(top));
        while (!parents.isEmpty() && found.size() < Bounds.PAGE_ITEMS_MAX) {
            var cursor = Cursor.first(Bounds.PAGE_ITEMS_MAX);
            var page = sessions.children(parents.remove(), cursor);
            for (var child : page.items()) {
                boolean ends =
                        child.state().isAlive()
                                && child.standing().onParentEnd().isStoppedWithParent();
                if (!ends) continue;
                found.add(child);
                parents.add(child.id());
            }
        }
        return found;
    }
}
