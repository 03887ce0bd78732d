package dev.coppice.store.removal;

import dev.coppice.removal.Removal;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;

import java.sql.SQLException;

/**
 * Deletes the rows that a removal has hidden, leaves first and a bounded number at a time, so that
 * other writers do not wait long. The schema's cascade is only a safety net.
 */
final class RemovalPurge {
    private static final int SESSIONS_AT_ONCE = 12;

    private static final Sql TOP =
            Sql.of(
                    """
                    select s.key, s.trail from removal m join any_session s on s.key = m.session
                    where m.id = :id and m.out_of_sight = 1
                    """);
    private static final Sql LAST =
            Sql.of(
                    """
                    select s.key, s.id, s.tree,
                        exists (select 1 from session v where v.key = s.key) as in_sight
                    from any_session s where s.trail >= :trail and s.trail < :end
                    order by s.trail desc limit :max
                    """);
    private static final Sql FIRST =
            Sql.of(
                    """
                    select number from event where session_id = :id order by number limit 1
                    """);

    /** Deletes a stretch of adjacent rows, of any hidden session in this subtree. */
    private static final Sql STRETCH =
            Sql.of(
                    """
                    delete from event where number in (
                        select e.number from (
                            select number, session from event
                            where tree = :tree and number >= :from
                            order by number limit :max) e
                        join any_session s on s.key = e.session
                        where s.trail >= :trail and s.trail < :end
                        and not exists (select 1 from session v where v.key = s.key))
                    """);

    private static final Sql EVENTS =
            Sql.of(
                    """
                    delete from event where number in (
                        select number from event where session_id = :id
                        order by number limit :max)
                    """);
    private static final Sql CALLBACKS = Sql.of("delete from callback where session = :session");
    private static final Sql SESSION = Sql.of("delete from any_session where key = :session");

    private RemovalPurge() {}

    private record Top(long key, String trail) {}

    private record Last(long key, String id, long tree) {}

    /**
     * Deletes up to {@code rowsMax} rows; false if nothing is left. Never deletes a visible
     * session.
     */
    static boolean some(Removal removal, int rowsMax) {
        var top =
                Tx.call(TOP)
                        .set("id", removal.id().value())
                        .first(row -> new Top(row.number("key"), row.text("trail")));
        if (top.isEmpty()) return false;
        var trail = top.get().trail();
        var last =
                Tx.call(LAST)
                        .set("trail", trail)
                        .set("end", Trail.end(trail))
                        .set("max", SESSIONS_AT_ONCE)
                        .list(row -> last(removal, row));
        int left = rowsMax;
        for (var session : last) {
            left -= events(session, trail, left);
            if (left <= 0) return true;
            Tx.call(CALLBACKS).set("session", session.key()).update();
            Tx.call(SESSION).set("session", session.key()).update();
            left--;
            if (left <= 0) return true;
        }
        return true;
    }

    /**
     * Deletes the events of the session, and those of other hidden descendants in between: the
     * events of one session alone are scattered over as many pages as there are rows. Falls back to
     * the session's own events where few deletable ones lie in between.
     */
    private static int events(Last session, String trail, int max) {
        int gone = 0;
        while (gone < max) {
            var first = Tx.call(FIRST).set("id", session.id()).first(row -> row.number("number"));
            if (first.isEmpty()) break;
            int here =
                    Tx.call(STRETCH)
                            .set("tree", session.tree())
                            .set("from", first.get())
                            .set("max", max - gone)
                            .set("trail", trail)
                            .set("end", Trail.end(trail))
                            .update();
            gone += here;
            if (here * 4 < max) {
                gone += Tx.call(EVENTS).set("id", session.id()).set("max", max - gone).update();
            }
        }
        return gone;
    }

    /**
     * Throws if the session is visible. Leaves come first, so this fails before any ancestor of it
     * is deleted.
     */
    private static Last last(Removal removal, Row row) throws SQLException {
        if (row.flag("in_sight")) {
            throw new IllegalStateException(
                    removal.id() + " would delete a visible session; purged nothing");
        }
        return new Last(row.number("key"), row.text("id"), row.number("tree"));
    }
}
