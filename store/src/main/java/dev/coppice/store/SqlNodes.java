package dev.coppice.store;

import dev.coppice.health.OpenQuestion;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.outline.Line;
import dev.coppice.outline.Node;
import dev.coppice.outline.Nodes;
import dev.coppice.outline.Tally;
import dev.coppice.store.engine.Keyset;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.session.SessionRow;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads trees for their outlines. */
public final class SqlNodes implements Nodes {
    private static final Sql BELOW =
            Sql.of(
                    """
                    select s.id, s.name, s.depth, s.state,
                        coalesce(s.blueprint, s.type) as kind,
                        coalesce(p.tokens, 0) as tokens, coalesce(p.cost_micros, 0) as cost_micros
                    from session s left join spent p on p.session = s.key
                    where s.trail >= :trail and s.trail < :end
                    order by s.trail limit :max
                    """);
    private static final Sql COUNTS =
            Sql.of(
                    """
                    select s.state, count(*) as sessions from session s
                    where s.trail >= :trail and s.trail < :end group by s.state
                    """);
    private static final String ROOT =
            """
            select s.key, s.id, s.name, s.depth, s.state, s.trail,
                coalesce(s.blueprint, s.type) as kind,
                coalesce(p.tokens, 0) as tokens, coalesce(p.cost_micros, 0) as cost_micros,
                (select count(*) from session c where c.parent = s.key) as children
            from session s left join spent p on p.session = s.key
            """;
    private static final Sql ONE = Sql.of(ROOT + "where s.id = :id");
    private static final Sql ROOTS =
            Sql.of(
                    ROOT
                            + """
                            where s.parent is null and s.key < :after
                            and (:live = 0 or s.living_below > 0 or s.state in (%s))
                            order by s.key desc limit :max
                            """
                                    .formatted(SessionRow.ALIVE));

    @Override
    public List<Node> below(SessionId top, int max) {
        var trail = Keys.of(top).trail();
        var asking = asking(trail);
        return Tx.call(BELOW)
                .set("trail", trail)
                .set("end", Trail.end(trail))
                .set("max", max)
                .list(row -> node(row, asking));
    }

    private static Map<SessionId, Instant> asking(String trail) {
        return OpenQuestions.within(trail).stream()
                .collect(Collectors.toMap(OpenQuestion::session, OpenQuestion::at));
    }

    private static Node node(Row row, Map<SessionId, Instant> asking) throws SQLException {
        var id = new SessionId(row.text("id"));
        return new Node(
                id,
                row.text("name"),
                row.integer("depth"),
                row.text("state"),
                row.text("kind"),
                row.number("tokens"),
                row.number("cost_micros"),
                asking.get(id));
    }

    @Override
    public Optional<Line> tree(SessionId top) {
        return Tx.call(ONE).set("id", top.value()).first(SqlNodes::root).map(Root::line);
    }

    @Override
    public Slice<Line> trees(Which which, Cursor cursor) {
        long after = cursor.after() == null ? Long.MAX_VALUE : Keyset.number(cursor.after());
        var page =
                Tx.call(ROOTS)
                        .set("after", after)
                        .set("live", which == Which.LIVE ? 1 : 0)
                        .set("max", cursor.max() + 1L)
                        .page(cursor.max() + 1, SqlNodes::root);
        var roots = Keyset.slice(page, cursor.max(), root -> Long.toString(root.key()));
        return new Slice<>(roots.items().stream().map(Root::line).toList(), roots.next());
    }

    /** A row shown without the sessions above and below it. */
    private record Root(Node node, int children, long key, String trail)
            implements Keyset.Item<Root> {
        @Override
        public Root value() {
            return this;
        }

        /** Runs queries of its own, so it is called after the query of the roots. */
        Line line() {
            var questions = OpenQuestions.within(trail);
            var asked = questions.isEmpty() ? null : questions.getFirst().at();
            var tally = Tally.of(counts(trail), questions.size(), asked);
            var openness = children == 0 ? Line.Openness.LEAF : Line.Openness.CLOSED;
            return new Line.OfSession(node, 0, 1, 1, children, openness, tally);
        }
    }

    private static Root root(Row row) throws SQLException {
        return new Root(
                node(row, Map.of()), row.integer("children"), row.number("key"), row.text("trail"));
    }

    private static Map<String, Integer> counts(String trail) {
        return Tx.call(COUNTS)
                .set("trail", trail)
                .set("end", Trail.end(trail))
                .list(row -> Map.entry(row.text("state"), row.integer("sessions")))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
