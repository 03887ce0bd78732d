package dev.coppice.store;

import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;
import dev.coppice.session.Profile;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.store.schema.Tables;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** Stores the journal. */
final class SqlJournal implements Journal {
    private static final String COLUMNS =
            """
            select e.number, e.run, e.type, e.at, e.sent_at, e.body,
                coalesce(s.id, e.gone_id) as session_id
            from event e left join session s on s.key = e.session
            where (s.key is not null or e.session is null)
            """;

    /** Selects the events of the session with which the tree began. */
    private static final String BORN =
            "e.session_id = (select b.id from any_session b where b.key = :tree)";

    /**
     * Reads a subtree from two indexes: the events of the session with which the tree began, and
     * those of all others.
     */
    private static Sql inTree(String side, String order) {
        var part =
                """
                select * from (%s
                    and PLACE and e.number %s :number
                    and coalesce(s.trail, e.gone_trail) >= :trail
                    and coalesce(s.trail, e.gone_trail) < :end
                    %s limit :max)
                """
                        .formatted(COLUMNS, side, order);
        return Sql.of(
                "select * from (%s born union all %s others) both_parts %s limit :max"
                        .formatted(
                                part.replace("PLACE", BORN),
                                part.replace(
                                        "PLACE",
                                        "e.tree = :tree and (e.session is null or e.session <>"
                                                + " e.tree)"),
                                order));
    }

    private static final Sql APPEND =
            Tables.insert("event", "gone_id", "gone_trail", "sent_at", "answer");
    private static final Sql APPEND_ABOUT =
            Sql.of(
                    """
                    insert into event (
                        session, session_id, tree, type, at, body, gone_id, gone_trail)
                    select s.key, s.id, s.tree, :type, :at, :body, null, null
                    from session s where s.id = :session
                    union all
                    select null, null, m.tree, :type, :at, :body, m.session_id, m.trail
                    from removal_member m where m.key = (
                        select max(x.key) from removal_member x where x.session_id = :session)
                    and not exists (select 1 from session s where s.id = :session)
                    """);
    private static final Sql AFTER =
            Sql.of(COLUMNS + "and e.number > :number order by e.number limit :max");
    private static final Sql AFTER_OF_SESSION =
            Sql.of(
                    COLUMNS
                            + """
                            and e.session_id = :session and e.number > :number
                            order by e.number limit :max
                            """);
    private static final Sql AFTER_IN_TREE = inTree(">", "order by number");
    private static final Sql BEFORE =
            Sql.of(COLUMNS + "and e.number < :number order by e.number desc limit :max");
    private static final Sql BEFORE_OF_SESSION =
            Sql.of(
                    COLUMNS
                            + """
                            and e.session_id = :session and e.number < :number
                            order by e.number desc limit :max
                            """);
    private static final Sql BEFORE_IN_TREE = inTree("<", "order by number desc");
    private static final Sql HEAD = Sql.of("select coalesce(max(number), 0) from event");
    private static final Sql FLOOR = Sql.of("select number from journal_floor");
    private static final Sql LAST_DUE =
            Sql.of(
                    """
                    select coalesce(max(number), 0) from (
                        select number, at from event where number > :after
                        order by number limit :max) oldest
                    where at <= :until
                    """);

    /**
     * Spares removed sessions, which can come back, and live trees that Coppice runs. Observed
     * sessions are not spared: their end may never be reported.
     */
    private static final Sql FORGET =
            Sql.of(
                    """
                    delete from event where number <= :number and number > :after
                    and (:type = '' or type = :type or type = '*' || :type)
                    and replace(:others, ',' || ltrim(type, '*') || ',', '') = :others
                    and not exists (
                        select 1 from any_session s join any_session r on r.key = s.root
                        where s.key = event.session and (s.removal is not null or (
                            coalesce(r.executor_profile, '') <> :observed
                            and (r.living_below > 0 or r.state in (
                                'pending', 'running', 'idle', 'stopping')))))
                    """);

    private static final Sql RAISE_FLOOR =
            Sql.of("update journal_floor set number = :number where number < :number");

    private static final Reading ONWARD = new Reading(AFTER, AFTER_OF_SESSION, AFTER_IN_TREE);
    private static final Reading BACK = new Reading(BEFORE, BEFORE_OF_SESSION, BEFORE_IN_TREE);

    @Override
    public void append(SessionId session, @Nullable RunId run, Fact fact, Instant at) {
        var keys = Keys.of(session);
        Tx.call(APPEND)
                .set("session", keys.key())
                .set("session_id", session.value())
                .set("tree", keys.tree())
                .set("run", run == null ? null : run.value())
                .set("wave", keys.wave())
                .set("type", FactText.type(fact))
                .set("at", at)
                .set("body", FactText.body(fact))
                .update();
        Tx.current().raise(new Topic.JournalGrew());
    }

    @Override
    public void appendAbout(SessionId session, Fact fact, Instant at) {
        appendAll(List.of(new About(session, fact)), at);
    }

    @Override
    public void appendAll(List<About> facts, Instant at) {
        if (facts.isEmpty()) return;
        var call = Tx.call(APPEND_ABOUT);
        for (var about : facts) {
            call.set("session", about.session().value())
                    .set("type", FactText.type(about.fact()))
                    .set("at", at)
                    .set("body", FactText.body(about.fact()))
                    .add();
        }
        call.updateAll();
        Tx.current().raise(new Topic.JournalGrew());
    }

    @Override
    public List<Entry> after(long number, Scope scope, int max) {
        return scoped(scope, ONWARD, number, max);
    }

    @Override
    public List<Entry> before(long number, Scope scope, int max) {
        return scoped(scope, BACK, number, max).reversed();
    }

    /** The queries for one direction of reading, one per scope. */
    private record Reading(Sql all, Sql ofSession, Sql inTree) {}

    private static List<Entry> scoped(Scope scope, Reading reading, long number, int max) {
        Call call;
        if (scope.session() != null) {
            call = Tx.call(reading.ofSession()).set("session", scope.session().value());
        } else if (scope.subtree() != null) {
            var top = Keys.of(scope.subtree());
            call =
                    Tx.call(reading.inTree())
                            .set("tree", top.tree())
                            .set("trail", top.trail())
                            .set("end", Trail.end(top.trail()));
        } else {
            call = Tx.call(reading.all());
        }
        return call.set("number", number).set("max", max).page(max, SqlJournal::entry).rows();
    }

    @Override
    public long head() {
        return Math.max(Tx.call(HEAD).number(), floor());
    }

    @Override
    public long floor() {
        return Tx.call(FLOOR).number();
    }

    @Override
    public Forgotten forget(Due due) {
        long last =
                Tx.call(LAST_DUE)
                        .set("after", due.after())
                        .set("until", due.until())
                        .set("max", due.max())
                        .number();
        if (last == 0) return new Forgotten(0, 0);
        int deleted =
                Tx.call(FORGET)
                        .set("number", last)
                        .set("after", due.after())
                        .set("type", due.types().only() == null ? "" : due.types().only())
                        .set("others", "," + String.join(",,", due.types().not()) + ",")
                        .set("observed", Profile.OBSERVED)
                        .update();
        if (deleted > 0) Tx.call(RAISE_FLOOR).set("number", last).update();
        return new Forgotten(last, deleted);
    }

    static Entry entry(Row row) throws SQLException {
        var run = row.textOrNull("run");
        return new Entry(
                row.number("number"),
                row.instant("at"),
                new SessionId(row.text("session_id")),
                run == null ? null : new RunId(run),
                FactText.fact(row.text("type"), row.text("body")),
                row.instantOrNull("sent_at"));
    }
}
