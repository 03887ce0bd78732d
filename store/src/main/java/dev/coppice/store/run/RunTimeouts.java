package dev.coppice.store.run;

import dev.coppice.kernel.RunId;
import dev.coppice.run.Run;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The queries behind run timeouts and accounts: silence, lifetime, corrections. */
final class RunTimeouts {
    /** An event of the run counts as a sign of life; its latest event is found by number. */
    private static final Sql SILENT_AT =
            Sql.of(
                    RunRow.COLUMNS
                            + """
                            where r.silence_ms is not null and r.ended_at is null
                            and r.started_at is not null and s.frozen_at is null
                            and (r.waiting_until is null or r.waiting_until < :now)
                            and coalesce(r.heard_at, r.started_at) + r.silence_ms < :now
                            and coalesce((
                                select e.at from event e
                                where e.session_id = s.id and e.run = r.id
                                order by e.number desc limit 1), 0) + r.silence_ms < :now
                            order by r.key limit :max
                            """);

    private static final Sql OUTLIVED_AT =
            Sql.of(
                    RunRow.COLUMNS
                            + """
                            where r.lifetime_ms is not null and r.ended_at is null
                            and s.frozen_at is null and s.created_at + r.lifetime_ms < :now
                            order by r.key limit :max
                            """);
    private static final Sql IDLE_OUTLIVED_AT =
            Sql.of(
                    RunRow.COLUMNS
                            + """
                            where s.state = 'idle' and s.frozen_at is null
                            and r.key = (select max(key) from run where session = s.key)
                            and r.lifetime_ms is not null
                            and s.created_at + r.lifetime_ms < :now
                            order by r.key limit :max
                            """);
    private static final Sql EXTEND_TIMEOUTS =
            Sql.of(
                    """
                    update run set heard_at = :now, lifetime_ms = lifetime_ms + :lost
                    where id = :id
                    """);
    private static final Sql FORGIVE_SILENCE =
            Sql.of(
                    """
                    update run set heard_at = :now
                    where silence_ms is not null and ended_at is null
                    """);
    private static final Sql SET_CORRECTIONS =
            Sql.of("update run set corrections = :count where id = :id");
    private static final Sql AT_WORK_ON =
            Sql.of(
                    """
                    select count(*) from run
                    where account = :account and ended_at is null
                    and state not in ('queued', 'hooked')
                    """);

    private RunTimeouts() {}

    static List<Run> silentAt(Instant now, int max) {
        return Tx.call(SILENT_AT).set("now", now).set("max", max).list(RunRow::run);
    }

    static List<Run> outlivedAt(Instant now, int max) {
        return Tx.call(OUTLIVED_AT).set("now", now).set("max", max).list(RunRow::run);
    }

    static List<Run> idleOutlivedAt(Instant now, int max) {
        return Tx.call(IDLE_OUTLIVED_AT).set("now", now).set("max", max).list(RunRow::run);
    }

    static void extendTimeouts(RunId id, Duration lost, Instant now) {
        Tx.call(EXTEND_TIMEOUTS)
                .set("id", id.value())
                .set("now", now)
                .set("lost", lost.toMillis())
                .update();
    }

    static void forgiveSilence(Instant now) {
        Tx.call(FORGIVE_SILENCE).set("now", now).update();
    }

    static void setCorrections(RunId id, int count) {
        Tx.call(SET_CORRECTIONS).set("id", id.value()).set("count", count).update();
    }

    static int countAtWorkOn(String account) {
        return (int) Tx.call(AT_WORK_ON).set("account", account).number();
    }
}
