package dev.coppice.store;

import dev.coppice.removal.Removal;

import java.sql.SQLException;

/**
 * Deletes what a removal has hidden, leaves first and a bounded number of rows at a time, so that
 * no other writer waits for long. The schema's own cascade is only a net below this.
 */
final class RemovalPurge {
    private static final int SESSIONS_AT_ONCE = 30;

    private static final Sql TOP =
            Sql.of(
                    """
                    select s.key, s.trail from removal m join any_session s on s.key = m.session
                    where m.id = :id and m.out_of_sight = 1
                    """);
    private static final Sql LAST =
            Sql.of(
                    """
                    select s.key, exists (select 1 from session v where v.key = s.key) as in_sight
                    from any_session s where s.trail >= :trail and s.trail < :end
                    order by s.trail desc limit :max
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
                        .list(row -> key(removal, row));
        int left = rowsMax;
        for (var session : last) {
            left -= Tx.call(EVENTS).set("session", session).set("max", left).update();
            if (left <= 0) return true;
            Tx.call(CALLBACKS).set("session", session).update();
            Tx.call(SESSION).set("session", session).update();
            left--;
            if (left <= 0) return true;
        }
        return true;
    }

    /** Whoever is in sight is met here before anyone above it is deleted. */
    private static long key(Removal removal, Row row) throws SQLException {
        if (row.flag("in_sight")) {
            throw new IllegalStateException(
                    removal.id() + " would delete a session that is in sight; it deletes nothing");
        }
        return row.number("key");
    }
}
