package dev.coppice.store.removal;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.removal.Member;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.Removals;
import dev.coppice.removal.Survey;
import dev.coppice.store.engine.Keyset;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.word.Choice;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.function.Consumer;

/** The members of a removal: records, informs and releases them, and lists detached children. */
final class RemovalMembers {
    private static final Sql KEY = Sql.of("select key from removal where id = :id");

    /** The next descendants in tree order. Sessions that a removal already covers are skipped. */
    private static final String NEXT =
            """
            from any_session s
            where s.trail >= :from and s.trail < :end and s.removal is null
            order by s.trail limit :max
            """;

    /** Members are enlisted in tree order, so the last one is where to continue. */
    private static final Sql LAST_ENLISTED =
            Sql.of(
                    """
                    select b.trail from removal_member b
                    where b.removal = :removal order by b.told desc, b.key desc limit 1
                    """);

    private static final Sql ENLIST =
            Sql.of(
                    """
                    insert into removal_member (
                        removal, session_id, name, parent_id, state, tree, trail, runs)
                    select :removal, s.id, s.name,
                        (select p.id from any_session p where p.key = s.parent),
                        s.state, s.tree, s.trail,
                        (select count(*) from run r where r.session = s.key)
                    """
                            + NEXT);
    private static final Sql MARK =
            Sql.of(
                    "update any_session set removal = :removal where key in (select s.key "
                            + NEXT
                            + ")");
    private static final Sql RELEASE =
            Sql.of(
                    """
                    update any_session set removal = null where key in (
                        select s.key from any_session s where s.removal = :removal
                        order by s.trail desc limit :max)
                    """);
    private static final Sql LIST =
            Sql.of(
                    """
                    select b.* from removal_member b
                    where b.removal = :removal and b.key > :after order by b.key limit :max
                    """);
    private static final Sql COUNT =
            Sql.of("select count(*) from removal_member where removal = :removal");
    private static final String UNANNOUNCED =
            """
            select b.* from removal_member b where b.removal = :removal
            and b.told < (select m.round from removal m where m.key = :removal)
            """;
    private static final Sql UNANNOUNCED_DOWNWARD =
            Sql.of(UNANNOUNCED + "order by b.told, b.key limit :max");
    private static final Sql UNANNOUNCED_UPWARD =
            Sql.of(UNANNOUNCED + "order by b.told desc, b.key desc limit :max");
    private static final Sql COUNT_UNANNOUNCED =
            Sql.of(
                    """
                    select count(*) from removal_member b where b.removal = :removal
                    and b.told < (select m.round from removal m where m.key = :removal)
                    """);

    /**
     * The plus sign keeps the planner off the removal's index; the session's index is selective.
     */
    private static final Sql MARK_ANNOUNCED =
            Sql.of(
                    """
                    update removal_member
                    set told = (select m.round from removal m where m.key = :removal)
                    where session_id = :session and +removal = :removal
                    """);

    private static final Sql GIVEN_UP =
            Sql.of(
                    """
                    update removal_member set given_up = 1
                    where session_id = :session and +removal = :removal
                    """);

    private static final Sql MARK_ALL_UNANNOUNCED =
            Sql.of("update removal set round = round + 1 where id = :id");
    private static final Sql OUTLINE =
            Sql.of(
                    """
                    select s.id, s.state from session s
                    where s.trail >= :trail and s.trail < :end order by s.trail
                    """);
    private static final Sql SESSIONS =
            Sql.of(
                    """
                    select s.state, count(*) as n from session s
                    where s.trail >= :trail and s.trail < :end group by s.state
                    """);
    private static final Sql REST =
            Sql.of(
                    """
                    select
                        (select count(*) from run r join session s on s.key = r.session
                            where s.trail >= :trail and s.trail < :end) as runs,
                        (select count(*) from run r join session s on s.key = r.session
                            where s.trail >= :trail and s.trail < :end
                            and r.ended_at is null) as live,
                        (select count(*) from run r join session s on s.key = r.session
                            where s.trail >= :trail and s.trail < :end
                            and r.lease_until is not null) as leases,
                        (select count(*) from callback c join session s on s.key = c.session
                            where s.trail >= :trail and s.trail < :end
                            and c.state in ('owed', 'held', 'carried')) as callbacks,
                        (select coalesce(sum(r.output_bytes), 0)
                            from run r join session s on s.key = r.session
                            where s.trail >= :trail and s.trail < :end) as output,
                        v.events, v.bytes
                    from (
                        select count(*) as events, coalesce(sum(length(e.body)), 0) as bytes
                        from event e join session s on s.id = e.session_id
                        where s.trail >= :trail and s.trail < :end) v
                    """);

    private static final Sql DETACH =
            Sql.of(
                    """
                    insert into removal_detached (removal, place, session_id, session, own)
                    select m.key, (
                        select count(*) from removal_detached d where d.removal = m.key), :session,
                        (select s.key from any_session s where s.id = :session), :own
                    from removal m where m.id = :id
                    """);
    private static final Sql DETACHED =
            Sql.of(
                    """
                    select d.session_id, d.session, d.own from removal_detached d
                    join removal m on m.key = d.removal where m.id = :id order by d.place
                    """);

    static long key(RemovalId id) {
        return Tx.call(KEY).set("id", id.value()).number();
    }

    int enlist(Removal removal, int max) {
        var trail = Keys.of(removal.top().id()).trail();
        long key = key(removal.id());
        var from =
                Tx.call(LAST_ENLISTED)
                        .set("removal", key)
                        .first(row -> row.text("trail"))
                        .orElse(trail);
        Tx.call(ENLIST)
                .set("removal", key)
                .set("from", from)
                .set("end", Trail.end(trail))
                .set("max", max)
                .update();
        return Tx.call(MARK)
                .set("removal", key)
                .set("from", from)
                .set("end", Trail.end(trail))
                .set("max", max)
                .update();
    }

    int release(RemovalId id, int max) {
        return Tx.call(RELEASE).set("removal", key(id)).set("max", max).update();
    }

    Slice<Member> list(RemovalId id, Cursor cursor) {
        long after = cursor.after() == null ? 0 : Keyset.number(cursor.after());
        var found =
                Tx.call(LIST)
                        .set("removal", key(id))
                        .set("after", after)
                        .set("max", cursor.max() + 1L)
                        .page(cursor.max() + 1, row -> new Keyed(member(row), row.number("key")));
        return Keyset.slice(found, cursor.max(), k -> Long.toString(k.key()));
    }

    private record Keyed(Member value, long key) implements Keyset.Item<Member> {}

    long count(RemovalId id) {
        return Tx.call(COUNT).set("removal", key(id)).number();
    }

    List<Member> unannounced(RemovalId id, Removals.AnnouncementOrder order, int max) {
        var sql =
                order == Removals.AnnouncementOrder.PARENTS_FIRST
                        ? UNANNOUNCED_DOWNWARD
                        : UNANNOUNCED_UPWARD;
        return Tx.call(sql).set("removal", key(id)).set("max", max).list(RemovalMembers::member);
    }

    long countUnannounced(RemovalId id) {
        return Tx.call(COUNT_UNANNOUNCED).set("removal", key(id)).number();
    }

    void markAnnounced(RemovalId id, SessionId member) {
        Tx.call(MARK_ANNOUNCED).set("removal", key(id)).set("session", member.value()).update();
    }

    void givenUp(RemovalId id, SessionId member) {
        Tx.call(GIVEN_UP).set("removal", key(id)).set("session", member.value()).update();
    }

    void markAllUnannounced(RemovalId id) {
        Tx.call(MARK_ALL_UNANNOUNCED).set("id", id.value()).update();
    }

    void outline(SessionId top, Choice.Children children, Consumer<Removals.Outline> each) {
        var trail = Keys.of(top).trail();
        var end = children == Choice.Children.DETACH ? trail + "!" : Trail.end(trail);
        Tx.call(OUTLINE)
                .set("trail", trail)
                .set("end", end)
                .walk(row -> new Removals.Outline(new SessionId(row.text(1)), row.text(2)), each);
    }

    Survey survey(SessionId top, Choice.Children children) {
        var trail = Keys.of(top).trail();
        // The top's own range ends where the range of its first child begins.
        var end = children == Choice.Children.DETACH ? trail + "!" : Trail.end(trail);
        var states = new HashMap<String, Long>();
        Tx.call(SESSIONS)
                .set("trail", trail)
                .set("end", end)
                .list(row -> states.put(row.text("state"), row.number("n")));
        return Tx.call(REST)
                .set("trail", trail)
                .set("end", end)
                .first(row ->
                        new Survey(
                                states,
                                row.number("runs"),
                                row.number("live"),
                                row.number("leases"),
                                row.number("callbacks"),
                                row.number("events"),
                                row.number("bytes"),
                                row.number("output")))
                .orElseThrow();
    }

    void detached(RemovalId id, SessionId child, Removals.Own own) {
        Tx.call(DETACH)
                .set("id", id.value())
                .set("session", child.value())
                .set("own", OwnText.of(own))
                .update();
    }

    List<Removals.Detached> detachedBy(RemovalId id) {
        return Tx.call(DETACHED)
                .set("id", id.value())
                .list(row -> {
                    var child = new SessionId(row.text("session_id"));
                    boolean isStillThere = row.numberOrNull("session") != null;
                    var own = OwnText.read(child, row.textOrNull("own"));
                    return new Removals.Detached(child, isStillThere, own);
                });
    }

    private static Member member(Row row) throws SQLException {
        var parent = row.textOrNull("parent_id");
        return new Member(
                new SessionId(row.text("session_id")),
                row.text("name"),
                parent == null ? null : new SessionId(parent),
                row.text("state"),
                row.number("runs"),
                row.number("given_up") == 1);
    }
}
