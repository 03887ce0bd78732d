package dev.coppice.store.session;

import dev.coppice.kernel.SessionId;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;

import org.jspecify.annotations.Nullable;

/**
 * Reads the events of a subtree in the order of their times, in one of two ways. Going through the
 * index by time costs as much as there are events of other trees in between, going through the
 * sessions as much as the subtree has events. Neither database can tell which is less.
 */
public final class SubtreeEvents {
    /** Stands for the tables {@code event e} and {@code session s} in a statement. */
    public static final String TABLES = "EVENTS_AND_SESSIONS";

    /** An event with its keys and a short body; most are longer. */
    private static final double BYTES_EACH = 500;

    private static final Sql SIZE =
            Sql.of(
                    """
                    select coalesce(b.events, 0) as bytes,
                        (select coalesce(max(number), 0) from event) as head
                    from session s left join tree_bytes b on b.tree = s.tree where s.id = :id
                    """);

    private final Sql byTime;
    private final Sql bySession;

    /** The statement joins the two tables in its conditions. */
    public SubtreeEvents(String statement) {
        this.byTime = Sql.of(statement.replace(TABLES, "event e cross join session s"));
        this.bySession = Sql.of(statement.replace(TABLES, "session s cross join event e"));
    }

    private record Size(double events, double all) {}

    /** Returns the statement that reads fewer rows for a page of the events below a session. */
    public Sql within(@Nullable SessionId top, int max) {
        if (top == null) return byTime;
        var size =
                Tx.call(SIZE)
                        .set("id", top.value())
                        .first(row ->
                                new Size(row.number("bytes") / BYTES_EACH, row.number("head")));
        boolean isSmall =
                size.isEmpty()
                        || size.get().events() * size.get().events() <= max * size.get().all();
        return isSmall ? bySession : byTime;
    }
}
