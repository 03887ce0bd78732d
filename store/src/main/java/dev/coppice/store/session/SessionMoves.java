package dev.coppice.store.session;

import dev.coppice.session.Limits;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;

/**
 * Moves a session and its descendants, hidden ones too: rewrites the beginnings of trails and
 * paths, and the counts of live sessions above the old and the new place.
 */
final class SessionMoves {
    private static final Sql PLACE =
            Sql.of(
                    """
                    select s.depth, s.path, s.living_below,
                        case when s.state in (%s) then 1 else 0 end as lives
                    from any_session s where s.key = :key
                    """
                            .formatted(SessionRow.ALIVE));
    private static final Sql COUNT_ABOVE =
            Sql.of(
                    """
                    update any_session set
                        living_below = living_below + :below,
                        living_children =
                            living_children + case when key = :parent then :child else 0 end
                    where key in (
                        with recursive up (key, parent) as (
                            select key, parent from any_session where key = :parent
                            union all
                            select a.key, a.parent from any_session a join up on a.key = up.parent)
                        select key from up)
                    """);
    private static final Sql LEVELS_BELOW =
            Sql.of(
                    """
                    select max(depth) - (select depth from any_session where key = :key)
                    from any_session where trail >= :trail and trail < :end
                    """);
    private static final Sql LIMIT =
            Sql.of("update any_session set " + LimitColumns.ASSIGNED + " where key = :key");
    private static final Sql PARENT_OF =
            Sql.of("select parent from any_session where key = :key and parent is not null");
    private static final Sql MOVE =
            Sql.of(
                    """
                    update any_session set
                        parent = case when key = :key then cast(:parent as bigint) else parent end,
                        root = :root,
                        depth = depth + :deeper,
                        trail = :trail || substr(trail, cast(:trail_from as integer)),
                        path = :path || substr(path, cast(:path_from as integer))
                    where trail >= :old and trail < :end
                    """);
    private static final Sql MOVE_STOPS =
            Sql.of(
                    """
                    update tree_stop set root = :root where ended_at is null and session in (
                        select key from any_session where trail >= :trail and trail < :end)
                    """);

    /** Lets the next claim look at these runs again: other budgets are above them now. */
    private static final Sql TAKE_BACK =
            Sql.of(
                    """
                    update run set aside = 0
                    where state = 'queued' and aside > 0 and exists (
                        select 1 from any_session s where s.key = run.session
                        and s.trail >= :trail and s.trail < :end and s.frozen_at is null)
                    """);

    private SessionMoves() {}

    private record Standing(int depth, String path, long living) {}

    static int levelsBelow(Keys top) {
        return (int)
                Tx.call(LEVELS_BELOW)
                        .set("key", top.key())
                        .set("trail", top.trail())
                        .set("end", Trail.end(top.trail()))
                        .number();
    }

    static void detach(Keys child, Limits limits) {
        limit(child, limits);
        detach(child);
    }

    private static void limit(Keys session, Limits limits) {
        LimitColumns.set(Tx.call(LIMIT).set("key", session.key()), limits).update();
    }

    private static void detach(Keys child) {
        var parent = Tx.call(PARENT_OF).set("key", child.key()).first(row -> row.number(1));
        if (parent.isEmpty()) return;
        SqlPeopleOnly.leaves(child.key());
        var at = standing(child.key());
        var above = standing(parent.get());
        count(child.key(), parent.get(), -1);
        var trail = Trail.of("", child.key());
        Tx.call(MOVE)
                .set("key", child.key())
                .setNumber("parent", null)
                .set("root", child.key())
                .set("deeper", -at.depth())
                .set("trail", trail)
                .set("trail_from", child.trail().length() + 1L)
                .set("path", "")
                .set("path_from", above.path().length() + 2L)
                .set("old", child.trail())
                .set("end", Trail.end(child.trail()))
                .update();
        moved(child.key(), trail);
    }

    static void attach(Keys root, Keys parent, Limits limits) {
        limit(root, limits);
        var at = standing(root.key());
        var above = standing(parent.key());
        var trail = Trail.of(parent.trail(), root.key());
        Tx.call(MOVE)
                .set("key", root.key())
                .setNumber("parent", parent.key())
                .set("root", parent.root())
                .set("deeper", above.depth() + 1L - at.depth())
                .set("trail", trail)
                .set("trail_from", root.trail().length() + 1L)
                .set("path", above.path() + ".")
                .set("path_from", 1)
                .set("old", root.trail())
                .set("end", Trail.end(root.trail()))
                .update();
        count(root.key(), parent.key(), 1);
        moved(parent.root(), trail);
    }

    private static Standing standing(long key) {
        return Tx.call(PLACE)
                .set("key", key)
                .first(row ->
                        new Standing(
                                row.integer("depth"),
                                row.text("path"),
                                row.number("living_below") + row.number("lives")))
                .orElseThrow();
    }

    private static void count(long child, long parent, int sign) {
        long lives =
                Tx.call(PLACE).set("key", child).first(row -> row.number("lives")).orElseThrow();
        countAbove(parent, sign * standing(child).living(), sign * lives);
    }

    /**
     * Adds {@code below} to the live descendants of the parent and all above it, and {@code ofIts}
     * to the live children of the parent. Either may be negative.
     */
    static void countAbove(long parent, long below, long ofIts) {
        Tx.call(COUNT_ABOVE).set("parent", parent).set("below", below).set("child", ofIts).update();
    }

    private static void moved(long root, String trail) {
        Tx.call(MOVE_STOPS)
                .set("root", root)
                .set("trail", trail)
                .set("end", Trail.end(trail))
                .update();
        Tx.call(TAKE_BACK).set("trail", trail).set("end", Trail.end(trail)).update();
        Keys.forgetAll();
    }
}
