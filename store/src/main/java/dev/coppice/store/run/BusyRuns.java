package dev.coppice.store.run;

import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** Counts the live runs that do not wait for a child. */
final class BusyRuns {
    private static final Sql BUSY_OF_RUNNER =
            Sql.of(
                    """
                    select count(*) from run where runner = :runner and ended_at is null
                    and (waiting_until is null or waiting_until < :now)
                    """);
    private static final Sql BUSY_WITHIN =
            Sql.of(
                    """
                    select count(*) from run r join session s on s.key = r.session
                    where r.tree = :tree and r.ended_at is null and s.id <> :not
                    and s.trail >= :trail and s.trail < :end
                    and (r.waiting_until is null or r.waiting_until < :now)
                    and not exists (
                        select 1 from run m where m.hook = s.id and m.state = 'hooked')
                    """);

    private BusyRuns() {}

    static int of(RunnerId runner, Instant now) {
        return (int) Tx.call(BUSY_OF_RUNNER).set("runner", runner.value()).set("now", now).number();
    }

    static int within(Keys top, @Nullable SessionId not, Instant now) {
        return (int)
                Tx.call(BUSY_WITHIN)
                        .set("tree", top.tree())
                        .set("trail", top.trail())
                        .set("end", Trail.end(top.trail()))
                        .set("not", not == null ? "" : not.value())
                        .set("now", now)
                        .number();
    }
}
