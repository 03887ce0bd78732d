package dev.coppice.store.session;

import dev.coppice.access.PeopleOnly;
import dev.coppice.kernel.SessionId;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;

/** Stores the settings that only people may lift. */
public final class SqlPeopleOnly implements PeopleOnly {
    private static final Sql ADD =
            Sql.of(
                    """
                    insert into people_only (session, what) values (:key, :what)
                    on conflict (session, what) do nothing
                    """);
    private static final Sql FORGET =
            Sql.of("delete from people_only where session = :key and what = :what");
    private static final Sql FORGET_BELOW =
            Sql.of(
                    """
                    delete from people_only where what = :what and session in (
                        select s.key from any_session s where s.trail >= :trail and s.trail < :end)
                    """);
    private static final Sql ON =
            Sql.of("select count(*) from people_only where session = :key and what = :what");
    private static final String UP =
            """
            with recursive up (k, above) as (
                select key, parent from any_session where key = :key
                union all
                select a.key, a.parent from any_session a join up on a.key = up.above)
            """;

    /** A spent budget of a person that freezes counts as a freeze by that person. */
    private static final String BY_PERSON =
            """
            (p.what = :what or (
                :what = 'freeze' and p.what = 'budget' and exists (
                    select 1 from budget b where b.session = p.session
                    and b.policy = 'freeze' and b.told like '%=spent%')))
            """;

    private static final Sql AROUND =
            Sql.of(
                    UP
                            + "select count(*) from people_only p where "
                            + BY_PERSON
                            + """
                            and (p.session in (select k from up) or p.session in (
                                    select s.key from any_session s
                                    where s.trail >= :trail and s.trail < :end))
                            """);
    private static final Sql CARRY =
            Sql.of(
                    "insert into people_only (session, what) "
                            + UP
                            + """
                            select s.key, :what from any_session s
                            where s.key = :key and s.frozen_at is not null and exists (
                                select 1 from people_only p
                                where p.session in (select k from up) and\
                            """
                            + " "
                            + BY_PERSON
                            + ") on conflict (session, what) do nothing");

    /** Keeps a frozen session reserved to people when it leaves a tree that a person froze. */
    static void leaves(long session) {
        call(CARRY, What.FREEZE).set("key", session).update();
    }

    @Override
    public void add(SessionId session, What what) {
        call(ADD, what).set("key", Keys.of(session).key()).update();
    }

    @Override
    public void forget(SessionId session, What what) {
        call(FORGET, what).set("key", Keys.of(session).key()).update();
    }

    @Override
    public void forgetBelow(SessionId session, What what) {
        var keys = Keys.of(session);
        call(FORGET_BELOW, what)
                .set("trail", keys.trail())
                .set("end", Trail.end(keys.trail()))
                .update();
    }

    @Override
    public boolean isOn(SessionId session, What what) {
        return call(ON, what).set("key", Keys.of(session).key()).number() > 0;
    }

    @Override
    public boolean isAround(SessionId session, What what) {
        var keys = Keys.of(session);
        return call(AROUND, what)
                        .set("key", keys.key())
                        .set("trail", keys.trail())
                        .set("end", Trail.end(keys.trail()))
                        .number()
                > 0;
    }

    private static Call call(Sql sql, What what) {
        return Tx.call(sql).set("what", what);
    }
}
