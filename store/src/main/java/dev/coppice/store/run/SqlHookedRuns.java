package dev.coppice.store.run;

import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.HookedRuns;
import dev.coppice.run.Run;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Stores the runs whose hooks are to be started or have a verdict. */
public final class SqlHookedRuns implements HookedRuns {
    /** Stands for the session that follows a run until it is started. */
    private static final String OWED = "";

    private static final Sql DUE =
            Sql.of(
                    RunRow.COLUMNS
                            + """
                            where r.state = 'hooked' and s.frozen_at is null and not exists (
                                select 1 from session h join run n on n.session = h.key
                                where h.id = r.hook and n.ended_at is null)
                            order by r.key limit :max
                            """);
    private static final Sql WAITING =
            Sql.of(RunRow.COLUMNS + "where r.id = :id and r.state = 'hooked'");
    private static final Sql FOLLOWED =
            Sql.of(
                    RunRow.COLUMNS
                            + """
                            where r.follower = '' and s.frozen_at is null
                            order by r.key limit :max
                            """);
    private static final Sql IS_HOOK =
            Sql.of("select count(*) from run where hook = :hook or follower = :hook");
    private static final Sql OWES =
            Sql.of("select count(*) from run where id = :id and follower = ''");
    private static final Sql BEGUN = Sql.of("update run set hook = :hook where id = :id");
    private static final Sql FOLLOW = Sql.of("update run set follower = :follower where id = :id");
    private static final Sql SAVE_PARAMETERS =
            Sql.of("update run set parameters = :parameters where id = :id");

    @Override
    public List<Waiting> due(int max) {
        return Tx.call(DUE).set("max", max).list(SqlHookedRuns::waiting);
    }

    private static Waiting waiting(Row row) throws SQLException {
        var hook = row.textOrNull("hook");
        return new Waiting(RunRow.run(row), hook == null ? null : new SessionId(hook));
    }

    @Override
    public Optional<Waiting> waiting(RunId run) {
        return Tx.call(WAITING).set("id", run.value()).first(SqlHookedRuns::waiting);
    }

    @Override
    public List<Run> followed(int max) {
        return Tx.call(FOLLOWED).set("max", max).list(RunRow::run);
    }

    @Override
    public boolean isHook(SessionId session) {
        return Tx.call(IS_HOOK).set("hook", session.value()).number() > 0;
    }

    @Override
    public void begun(RunId run, SessionId hook) {
        Tx.call(BEGUN).set("id", run.value()).set("hook", hook.value()).update();
    }

    @Override
    public void oweFollower(RunId run) {
        follow(run, OWED);
    }

    @Override
    public boolean owesFollower(RunId run) {
        return Tx.call(OWES).set("id", run.value()).number() > 0;
    }

    @Override
    public void followed(RunId run, @Nullable SessionId by) {
        follow(run, by == null ? null : by.value());
    }

    private static void follow(RunId run, @Nullable String follower) {
        Tx.call(FOLLOW).set("id", run.value()).set("follower", follower).update();
    }

    @Override
    public void saveParameters(Run run) {
        Tx.call(SAVE_PARAMETERS)
                .set("id", run.id().value())
                .set("parameters", run.task().parameters().value())
                .update();
    }
}
