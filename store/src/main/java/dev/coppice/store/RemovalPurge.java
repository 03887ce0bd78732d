package dev.coppice.store;

import dev.coppice.removal.Removal;

import java.sql.SQLException;

/**
 * Deletes what a removal has hidden, leaves first and a bounded number of rows at a time, so that
 * no other writer waits for long. The schema's own cascade is only a net below this.
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
                    select s.key, s.tree,
                        exists (select 1 from session v where v.key = s.key) as in_sight
                    from any_session s where s.trail >= :trail and s.trail < :end
                    order by s.trail desc limit :max
                    """);
    private static final Sql FIRST =
            Sql.of(
                    """
                    select number from event where session = :session order by number limit 1
                    """);

    /** Rows that lie beside each other, whoever of those below they are about. */
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
                        select number from event where session = :session
                        order by number limit :max)
                    """);
    private static final Sql CALLBACKS = Sql.of("delete from callback where session = :session");
    private static final Sql SESSION = Sql.of("delete from any_session where key = :session");

    private RemovalPurge() {}

    private record Top(long key, String trail) {}

    private record Last(long key, long tree) {}

    /** Whether there may be more; nothing of what is in sight is ever touched. */
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
     * Those of the session, and what others below have in between: one session's events alone are
     * strewn over as many pages. Where little below lies in between, they are taken one by one.
     */
    private static int events(Last session, String trail, int max) {
        int gone = 0;
        while (gone < max) {
            var first =
                    Tx.call(FIRST).set("session", session.key()).first(row -> row.number("number"));
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
                gone +=
                        Tx.call(EVENTS)
                                .set("session", session.key())
                                .set("max", max - gone)
                                .update();
            }
        }
        return gone;
    }

    /** Whoever is in sight is met here before anyone above it is deleted. */
    private static Last last(Removal removal, Row row) throws SQLException {
        if (row.flag("in_sight")) {
            throw new IllegalStateException(
                    removal.id() + " would delete a session that is in sight; it deletes nothing");
        }
        return new Last(row.number("key"), row.number("tree"));
    }
}
