package dev.coppice.store.session;

import dev.coppice.kernel.SessionId;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;

import org.jspecify.annotations.Nullable;

/**
 * Reads the events of a subtree in the order of their times, in one of two ways. The way through
 * the index by time costs as many rows as there are events of other trees in between. The way
 * through the sessions costs as many rows as the subtree has events. SQLite keeps the order of a
 * cross join; PostgreSQL chooses by its statistics.
 */
public final class SubtreeEvents {
    /** Stands for the tables {@code event e} and {@code session s} in a statement. */
    public static final String TABLES = "EVENTS_AND_SESSIONS";

    private static final Sql ALL = Sql.of("select coalesce(max(number), 0) from event");
    private static final Sql COUNT =
            Sql.of(
                    """
                    select count(*) from (
                        select 1 from session s join event e on e.session_id = s.id
                        where s.trail >= :trail and s.trail < :end limit :max) found
                    """);

    private final Sql byTime;
    private final Sql bySession;

    /** The conditions of the statement must join the two tables. */
    public SubtreeEvents(String statement) {
        this.byTime = Sql.of(statement.replace(TABLES, "event e cross join session s"));
        this.bySession = Sql.of(statement.replace(TABLES, "session s cross join event e"));
    }

    /**
     * Returns the statement that reads fewer rows for a page of the events below a session. If n of
     * all N events are below it, a page costs either n rows, or about N / n times its own size.
     */
    public Sql within(@Nullable SessionId top, int page) {
        if (top == null) return byTime;
        var trail = Keys.of(top).trail();
        long even = (long) Math.sqrt((double) page * Tx.call(ALL).number());
        long below =
                Tx.call(COUNT)
                        .set("trail", trail)
                        .set("end", Trail.end(trail))
                        .set("max", even + 1)
                        .number();
        return below <= even ? bySession : byTime;
    }
}
