package dev.coppice.store.run;

import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.Run;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The queries for the last run of a session. */
final class LastRuns {
    private static final Sql LATEST_OF =
            Sql.of(RunRow.COLUMNS + "where r.session = :session order by r.key desc limit 1");

    /** The state is a constant in each statement, so that an index of one state can serve. */
    private static final String LAST_WITH =
            RunRow.COLUMNS
                    + """
                    where s.state = 'STATE' and s.since > :after and r.runner = :runner
                    and r.ended_at is not null
                    and r.key = (select max(key) from run where session = s.key)
                    """;

    private static final Map<String, Sql> LAST_WITH_STATE = new ConcurrentHashMap<>();

    private LastRuns() {}

    static Optional<Run> of(SessionId session) {
        return Keys.find(session)
                .flatMap(k -> Tx.call(LATEST_OF).set("session", k.key()).first(RunRow::run));
    }

    static List<Run> with(RunnerId runner, String sessionState, Instant after) {
        return Tx.call(with(sessionState))
                .set("runner", runner.value())
                .set("after", after)
                .list(RunRow::run);
    }

    static Sql with(String sessionState) {
        return LAST_WITH_STATE.computeIfAbsent(
                sessionState, state -> Sql.of(LAST_WITH.replace("STATE", state)));
    }
}
