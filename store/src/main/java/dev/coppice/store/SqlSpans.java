package dev.coppice.store;

import dev.coppice.kernel.SessionId;
import dev.coppice.outline.Span;
import dev.coppice.outline.Spans;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;

import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads when the sessions of trees worked. */
public final class SqlSpans implements Spans {
    private static final Sql BELOW =
            Sql.of(
                    """
                    select s.key, s.id, s.name, p.id as parent_id, s.depth,
                        coalesce(s.blueprint, s.type) as kind, s.state,
                        coalesce(s.started_at, s.created_at) as begun_at, s.ended_at
                    from session s left join any_session p on p.key = s.parent
                    where s.trail >= :trail and s.trail < :end and s.since >= :since
                    order by s.trail limit :max
                    """);
    private static final Sql RUNS =
            Sql.of(
                    """
                    select r.session, r.state, r.started_at, r.ended_at
                    from session s join run r on r.session = s.key
                    where s.trail >= :trail and s.trail < :end and s.since >= :since
                    and r.started_at is not null
                    order by s.trail, r.key limit :max
                    """);
    private static final Sql WAKES =
            Sql.of(
                    """
                    select c.child_id, s.id as parent_id, c.created_at, r.started_at
                    from session s join callback c on c.session = s.key
                    join run r on r.id = c.carrier
                    where s.trail >= :trail and s.trail < :end and c.child_id is not null
                    and r.started_at >= :since
                    order by r.started_at desc limit :max
                    """);

    @Override
    public List<Span> below(SessionId top, Instant since, int max) {
        var runs = runs(top, since, max);
        return call(BELOW, top, since, max).list(row -> span(row, runs));
    }

    private static Call call(Sql sql, SessionId top, Instant since, int max) {
        var trail = Keys.of(top).trail();
        return Tx.call(sql)
                .set("trail", trail)
                .set("end", Trail.end(trail))
                .set("since", since)
                .set("max", max);
    }

    /** The runs by the keys of their sessions. */
    private static Map<Long, List<Span.Work>> runs(SessionId top, Instant since, int max) {
        var runs = new HashMap<Long, List<Span.Work>>();
        call(RUNS, top, since, max * 2)
                .list(row -> {
                    var work =
                            new Span.Work(
                                    row.text("state"),
                                    row.instant("started_at"),
                                    row.instantOrNull("ended_at"));
                    runs.computeIfAbsent(row.number("session"), _ -> new ArrayList<>()).add(work);
                    return work;
                });
        return runs;
    }

    private static Span span(Row row, Map<Long, List<Span.Work>> runs) throws SQLException {
        var parent = row.textOrNull("parent_id");
        return new Span(
                new SessionId(row.text("id")),
                row.text("name"),
                parent == null ? null : new SessionId(parent),
                row.integer("depth"),
                row.text("kind"),
                row.text("state"),
                row.instant("begun_at"),
                row.instantOrNull("ended_at"),
                runs.getOrDefault(row.number("key"), List.of()));
    }

    @Override
    public List<Span.Wake> wakes(SessionId top, Instant since, int max) {
        return call(WAKES, top, since, max)
                .list(row ->
                        new Span.Wake(
                                new SessionId(row.text("child_id")),
                                new SessionId(row.text("parent_id")),
                                row.instant("created_at"),
                                row.instant("started_at")));
    }
}
