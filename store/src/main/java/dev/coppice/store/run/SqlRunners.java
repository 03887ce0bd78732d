package dev.coppice.store.run;

import dev.coppice.fleet.Runner;
import dev.coppice.fleet.Runners;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.RunnerId;
import dev.coppice.store.engine.Lines;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.schema.Tables;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Stores runners. */
public final class SqlRunners implements Runners {
    private static final Sql FIND = Sql.of("select * from runner where id = :id");
    private static final Sql ALL = Sql.of("select * from runner order by registered_at, id");
    private static final Sql REMOVE = Sql.of("delete from runner where id = :id");
    private static final Sql SAVE = Tables.upsert("runner", "id");

    @Override
    public Optional<Runner> find(RunnerId id) {
        return Tx.call(FIND).set("id", id.value()).first(SqlRunners::runner);
    }

    @Override
    public List<Runner> all() {
        return Tx.call(ALL).list(SqlRunners::runner);
    }

    @Override
    public void remove(RunnerId id) {
        Tx.call(REMOVE).set("id", id.value()).update();
    }

    @Override
    public void save(Runner r) {
        var agents = r.skills().agents();
        Tx.call(SAVE)
                .set("id", r.id().value())
                .set("hostname", r.post().hostname())
                .set("project_dir", r.post().projectDir())
                .set("executor_profile", r.post().executorProfile())
                .set("executor", r.skills().executor().value())
                .set("executor_type", r.skills().executorType())
                .set("tags", Lines.joined(r.skills().tags()))
                .set("matching", r.skills().matching())
                .set("capacity", r.skills().capacity())
                .set("agents", agents == null ? null : agents.value())
                .set("protocol", word(r.protocol()))
                .set("registered_at", r.registered())
                .set("seen_at", r.seen())
                .update();
    }

    /** The stored words, which have not changed since the first version. */
    private static String word(Runner.Protocol protocol) {
        return switch (protocol) {
            case FENCED -> "fenced";
            case UNFENCED -> "original";
        };
    }

    private static Runner.Protocol protocol(String word) {
        return word.equals(word(Runner.Protocol.FENCED))
                ? Runner.Protocol.FENCED
                : Runner.Protocol.UNFENCED;
    }

    private static Runner runner(Row row) throws SQLException {
        var agents = row.textOrNull("agents");
        return new Runner(
                new RunnerId(row.text("id")),
                new Runner.Post(
                        row.text("hostname"),
                        row.text("project_dir"),
                        row.text("executor_profile")),
                new Runner.Skills(
                        new JsonText(row.text("executor")),
                        row.text("executor_type"),
                        Lines.split(row.text("tags")),
                        row.constant(Runner.Matching.class, "matching"),
                        row.integer("capacity"),
                        agents == null ? null : new JsonText(agents)),
                protocol(row.text("protocol")),
                row.instant("registered_at"),
                row.instant("seen_at"));
    }
}
