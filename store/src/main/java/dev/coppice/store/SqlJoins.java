package dev.coppice.store;

import dev.coppice.callback.Join;
import dev.coppice.callback.JoinId;
import dev.coppice.callback.Joins;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.schema.Tables;
import dev.coppice.word.JoinKind;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Stores joins. */
final class SqlJoins implements Joins {
    private static final String FIND_TEXT =
            """
            select j.*, s.id as session_id from child_join j join session s on s.key = j.session
            where j.id = :id
            """;
    private static final Sql FIND = Sql.of(FIND_TEXT);
    private static final Sql MEMBERS =
            Sql.of(
                    """
                    select m.* from child_join_member m where m.child_join = :join order by m.place
                    """);
    private static final Sql INSERT = Tables.insert("child_join", "ended_at");
    private static final Sql INSERT_MEMBER =
            Sql.of(
                    """
                    insert into child_join_member (child_join, place, child_id, run)
                    values ((select key from child_join where id = :join), :place, :child, :run)
                    """);

    /** Marks joined children as parallel, unless something else was declared of them. */
    private static final Sql RELATE =
            Sql.of(
                    """
                    update relationship set delegation = 'parallel'
                    where parent_id = :parent and child_id = :child and set_aside = 0
                    and evidence is null
                    """);

    private static final Sql UPDATE =
            Tables.update("child_join", "id", "ended finished outcome ended_at deadline");
    private static final Sql WAITING_FOR =
            Sql.of(
                    """
                    select j.id from child_join_member m join child_join j on j.key = m.child_join
                    where m.run = :run and j.outcome = 'open' order by j.key
                    """);
    private static final Sql OPEN_OF =
            Sql.of(
                    """
                    select id from child_join
                    where session = :session and outcome = 'open' order by key
                    """);
    private static final Sql DUE_AT =
            Sql.of(
                    """
                    select j.id from child_join j join session s on s.key = j.session
                    where j.outcome = 'open' and j.deadline <= :now and s.frozen_at is null
                    order by j.deadline limit :max
                    """);

    @Override
    public void add(Join j) {
        var keys = Keys.of(j.by());
        Tx.call(INSERT)
                .set("id", j.id().value())
                .set("session", keys.key())
                .set("tree", keys.tree())
                .set("kind", j.until().kind())
                .set("wanted", (long) j.until().wanted())
                .set("ended", (long) j.count().ended())
                .set("finished", (long) j.count().finished())
                .set("deadline", j.deadline())
                .set("outcome", "open")
                .update();
        int place = 0;
        for (var member : j.members()) {
            Tx.call(INSERT_MEMBER)
                    .set("join", j.id().value())
                    .set("place", (long) place++)
                    .set("child", member.child().value())
                    .set("run", member.run().value())
                    .update();
            Tx.call(RELATE)
                    .set("parent", j.by().value())
                    .set("child", member.child().value())
                    .update();
        }
    }

    @Override
    public void save(Join j) {
        Tx.call(UPDATE)
                .set("id", j.id().value())
                .set("ended", (long) j.count().ended())
                .set("finished", (long) j.count().finished())
                .set("outcome", j.state().outcome())
                .set("ended_at", j.state().ended())
                .set("deadline", j.deadline())
                .update();
    }

    @Override
    public Optional<Join> find(JoinId id) {
        return Tx.call(FIND)
                .set("id", id.value())
                .first(SqlJoins::found)
                .map(SqlJoins::withMembers);
    }

    /** A row whose members are not read yet: only one result is open at a time. */
    private record Found(Join join, long key) {}

    private static Join withMembers(Found found) {
        var j = found.join();
        var members =
                Tx.call(MEMBERS)
                        .set("join", found.key())
                        .list(row ->
                                new Join.Member(
                                        new SessionId(row.text("child_id")),
                                        new RunId(row.text("run"))));
        return new Join(j.id(), j.by(), j.until(), members, j.count(), j.deadline(), j.state());
    }

    private static Found found(Row row) throws SQLException {
        var outcome = row.constant(Join.Outcome.class, "outcome");
        var join =
                new Join(
                        new JoinId(row.text("id")),
                        new SessionId(row.text("session_id")),
                        new Join.Until(row.constant(JoinKind.class, "kind"), row.integer("wanted")),
                        List.of(),
                        new Join.Count(row.integer("ended"), row.integer("finished")),
                        row.instant("deadline"),
                        new Join.State(outcome, row.instantOrNull("ended_at")));
        return new Found(join, row.number("key"));
    }

    @Override
    public List<Join> waitingFor(RunId run) {
        return Tx.call(WAITING_FOR).set("run", run.value()).list(SqlJoins::id).stream()
                .flatMap(id -> find(id).stream())
                // Checks again: the join may have been closed since it was listed.
                .filter(Join::isOpen)
                .toList();
    }

    @Override
    public List<Join> openOf(SessionId by) {
        return Keys.find(by)
                .map(k -> Tx.call(OPEN_OF).set("session", k.key()).list(SqlJoins::id))
                .orElse(List.of())
                .stream()
                .flatMap(id -> find(id).stream())
                .toList();
    }

    @Override
    public List<JoinId> dueAt(Instant now, int max) {
        return Tx.call(DUE_AT).set("now", now).set("max", max).list(SqlJoins::id);
    }

    private static JoinId id(Row row) throws SQLException {
        return new JoinId(row.text("id"));
    }
}
