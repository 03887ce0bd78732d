package dev.coppice.originals.family;

import dev.coppice.kernel.SessionId;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Sessions and how they are related, in the words of the relationship schema. All methods join the
 * current transaction.
 */
final class Families {
    /** A session with a parent. Its type is its blueprint, or what its program calls it. */
    record Agent(
            SessionId id,
            @Nullable SessionId parent,
            String name,
            String type,
            String app,
            String status,
            Instant started,
            @Nullable Instant ended,
            long tokens,
            long costMicros) {}

    /** The kind of a pair. */
    record Pair(
            String type,
            @Nullable String reason,
            @Nullable String delegation,
            @Nullable String metadata) {}

    /** A session and the pair with its parent. */
    record Member(
            SessionId id,
            @Nullable SessionId parent,
            String name,
            String type,
            String status,
            Instant started,
            @Nullable Instant ended,
            long children,
            long tokens,
            int depth,
            String path,
            @Nullable Pair pair) {}

    /** The number of pairs of one kind, the sum and maximum of their depths, and how many ended. */
    record Count(Pair pair, long pairs, long depths, int deepest, long ended) {}

    private static final String MEMBER =
            """
            select s.id, p.id as parent_id, s.name, v.session_type, v.status, v.start_time,
                v.end_time, v.agent_count, v.total_tokens, s.depth, s.path,
            """;
    private static final Sql FAMILY =
            Sql.of(
                    MEMBER
                            + """
                                r.type, r.reason, r.delegation, r.metadata
                            from session s join sessions v on v.session_id = s.id
                            left join session p on p.key = s.parent
                            left join relationship r on r.parent_id = p.id and r.child_id = s.id
                            where s.trail >= :trail and s.trail < :end
                            and s.depth - :levels <= (
                                select t.depth from session t where t.key = :key)
                            order by s.trail limit :max
                            """);
    private static final String FROM_PAIRS =
            """
             r.type, r.reason, r.delegation, r.metadata
            from relationship r join session s on s.id = r.OTHER
            join sessions v on v.session_id = s.id
            left join session p on p.key = s.parent
            where r.OWN = :id and r.type in ('sibling', 'continuation') and r.set_aside = 0
            """;

    /** Both were detached by removals of the same session. */
    private static final String FROM_DETACHED =
            """
             'sibling' as type, null as reason, null as delegation, null as metadata
            from removal_detached o join removal m on m.key = o.removal
            join removal n on n.top_id = m.top_id
            join removal_detached d on d.removal = n.key and d.session <> o.session
            join session s on s.key = d.session and s.parent is null
            join sessions v on v.session_id = s.id
            left join session p on p.key = s.parent
            where o.session = :key
            """;

    private static final Sql RELATED =
            Sql.of(
                    """
                    select * from (%s union %s union %s) related
                    order by start_time, id limit :max
                    """
                            .formatted(
                                    MEMBER
                                            + FROM_PAIRS
                                                    .replace("OWN", "parent_id")
                                                    .replace("OTHER", "child_id"),
                                    MEMBER
                                            + FROM_PAIRS
                                                    .replace("OWN", "child_id")
                                                    .replace("OTHER", "parent_id"),
                                    MEMBER + FROM_DETACHED));
    private static final Sql COUNT =
            Sql.of(
                    """
                    select relationship_type as type, spawn_reason as reason,
                        delegation_type as delegation, null as metadata, count(*) as pairs,
                        coalesce(sum(depth_level), 0) as depths,
                        coalesce(max(depth_level), 0) as deepest, count(completed_at) as ended
                    from session_relationships where created_at >= :from and created_at < :until
                    group by relationship_type, spawn_reason, delegation_type
                    order by relationship_type, spawn_reason, delegation_type
                    """);
    private static final Sql AGENTS =
            Sql.of(
                    """
                    select s.id, p.id as parent_id, s.name, s.blueprint, s.source_app, v.status,
                        coalesce(s.started_at, s.created_at) as started, s.ended_at,
                        coalesce(u.own_tokens, 0) as tokens,
                        coalesce(u.own_cost_micros, 0) as cost_micros
                    from session s join sessions v on v.session_id = s.id
                    join any_session p on p.key = s.parent
                    left join spent u on u.session = s.key
                    where coalesce(s.started_at, s.created_at) >= :from
                    and coalesce(s.started_at, s.created_at) < :until
                    and s.trail >= :trail and s.trail < :end
                    order by coalesce(s.started_at, s.created_at) desc limit :max
                    """);

    /** The suffix that turns a label into a name. */
    private static final Pattern MADE = Pattern.compile("-[0-9a-f]{8}$");

    private static final String VALUES =
            """
            type = :type, reason = :reason, delegation = :delegation, metadata = :metadata,
                evidence = 'declared', confidence = 100
            """;
    private static final Sql DECLARE =
            Sql.of(
                    """
                    insert into relationship (
                        parent_id, child_id, type, reason, delegation, metadata, evidence,
                        confidence, created_at)
                    values (
                        :parent, :child, :type, :reason, :delegation, :metadata, 'declared', 100,
                        :at)
                    on conflict (parent_id, child_id) do update set
                    """
                            + VALUES);
    private static final Sql DESCRIBE =
            Sql.of(
                    "update relationship set "
                            + VALUES
                            + " where parent_id = :parent and child_id = :child and set_aside = 0");

    /** Returns a session and those below it, depth first, at most {@code levels} below it. */
    List<Member> family(SessionId top, int levels, int max) {
        var keys = Keys.of(top);
        return Tx.call(FAMILY)
                .set("key", keys.key())
                .set("trail", keys.trail())
                .set("end", Trail.end(keys.trail()))
                .set("levels", levels)
                .set("max", max)
                .list(Families::member);
    }

    /**
     * Returns the siblings and continuations of a session besides the children of its parent: those
     * that were declared or derived, and those that were detached from the same session.
     */
    List<Member> related(SessionId session, int max) {
        return Tx.call(RELATED)
                .set("id", session.value())
                .set("key", Keys.of(session).key())
                .set("max", max)
                .list(Families::member);
    }

    private static Member member(Row row) throws SQLException {
        var parent = row.textOrNull("parent_id");
        return new Member(
                new SessionId(row.text("id")),
                parent == null ? null : new SessionId(parent),
                row.text("name"),
                row.text("session_type"),
                row.text("status"),
                row.instant("start_time"),
                row.instantOrNull("end_time"),
                row.number("agent_count"),
                row.number("total_tokens"),
                row.integer("depth"),
                row.text("path"),
                pair(row));
    }

    private static @Nullable Pair pair(Row row) throws SQLException {
        var type = row.textOrNull("type");
        return type == null
                ? null
                : new Pair(
                        type,
                        row.textOrNull("reason"),
                        row.textOrNull("delegation"),
                        row.textOrNull("metadata"));
    }

    /** Counts the pairs that were created in a period, by kind. */
    List<Count> count(Instant from, Instant until) {
        return Tx.call(COUNT)
                .set("from", from)
                .set("until", until)
                .list(row ->
                        new Count(
                                new Pair(
                                        row.text("type"),
                                        row.textOrNull("reason"),
                                        row.textOrNull("delegation"),
                                        null),
                                row.number("pairs"),
                                row.number("depths"),
                                row.integer("deepest"),
                                row.number("ended")));
    }

    /**
     * Agents, which are sessions with a parent, that started in a period, newest first. With {@code
     * within} only those below this session.
     */
    List<Agent> agents(@Nullable SessionId within, Instant from, Instant until, int max) {
        var trail = within == null ? "" : Keys.of(within).trail();
        return Tx.call(AGENTS)
                .set("from", from)
                .set("until", until)
                .set("trail", trail)
                .set("end", Trail.end(trail))
                .set("max", max)
                .list(Families::agent);
    }

    private static Agent agent(Row row) throws SQLException {
        var parent = row.textOrNull("parent_id");
        var name = row.text("name");
        var blueprint = row.textOrNull("blueprint");
        var app = row.textOrNull("source_app");
        return new Agent(
                new SessionId(row.text("id")),
                parent == null ? null : new SessionId(parent),
                name,
                blueprint == null ? MADE.matcher(name).replaceFirst("") : blueprint,
                app == null ? "" : app,
                row.text("status"),
                row.instant("started"),
                row.instantOrNull("ended_at"),
                row.number("tokens"),
                row.number("cost_micros"));
    }

    /** Adds a pair that is not parent and child, or replaces its description. */
    void declare(SessionId parent, SessionId child, Pair pair, Instant at) {
        values(Tx.call(DECLARE).set("at", at), parent, child, pair).update();
    }

    /** Describes the pair of a session and its parent; false if there is none. */
    boolean describe(SessionId parent, SessionId child, Pair pair) {
        return values(Tx.call(DESCRIBE), parent, child, pair).update() == 1;
    }

    private static Call values(Call call, SessionId parent, SessionId child, Pair pair) {
        return call.set("parent", parent.value())
                .set("child", child.value())
                .set("type", pair.type())
                .set("reason", pair.reason())
                .set("delegation", pair.delegation())
                .set("metadata", pair.metadata());
    }
}
