package dev.coppice.store;

import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;
import dev.coppice.work.Errand;
import dev.coppice.work.ErrandId;
import dev.coppice.work.Errands;
import dev.coppice.work.WorkItem;
import dev.coppice.work.Workplace;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** Asks for errands: which places of which sessions, and which runs' output with them. */
final class ErrandPlaces {
    /** The last place asked for says where to go on. */
    private static final String REST =
            """
            and w.key > (
                select coalesce(max(p.workplace), 0) from errand e
                join errand_place p on p.errand = e.key
                where e.removal = m.key and e.kind = :kind)
            order by w.key limit :max
            """;

    /** Whether the directory was asked for before, with others who share it. */
    private static final String ASKED =
            """
            exists (
                select 1 from workplace w2 join any_session s2 on s2.key = w2.session
                where s2.removal = m.key and w2.host = w.host and w2.directory = w.directory
                and w2.key <= (
                    select coalesce(max(p.workplace), 0) from errand e
                    join errand_place p on p.errand = e.key
                    where e.removal = m.key and e.kind = :kind))
            """;

    private static final String WHERE_MEMBERS_WORK =
            """
            from removal m join any_session s on s.removal = m.key
            join workplace w on w.session = s.key where m.id = :removal
            """;

    /** Each directory once. */
    private static final Sql OF_MEMBERS =
            Sql.of(
                    "select w.*, 0 as again, s.id as session_id, s.name as session_name "
                            + WHERE_MEMBERS_WORK
                            + "and not "
                            + ASKED
                            + REST);

    /** All, since all have printed something; the directory of each is kept with the first. */
    private static final Sql OF_ALL_MEMBERS =
            Sql.of(
                    "select w.*, s.id as session_id, s.name as session_name, case when "
                            + ASKED
                            + " then 1 else 0 end as again "
                            + WHERE_MEMBERS_WORK
                            + REST);

    /** All that hangs below goes for good, also what was hidden before. */
    private static final Sql OF_THE_GONE =
            Sql.of(
                    """
                    select w.*, 0 as again, s.id as session_id, s.name as session_name
                    from removal m join any_session t on t.key = m.session
                    join any_session s on s.trail >= t.trail and s.trail < t.trail || '~'
                    join workplace w on w.session = s.key
                    where m.id = :removal
                    """
                            + REST);

    /**
     * Where something was kept, or may have been: the places that were asked about, and the
     * repositories inside them that were told of, whose numbers come after those of all places.
     */
    private static final Sql OF_THE_KEPT =
            Sql.of(
                    """
                    select distinct w.*, 0 as again from removal m
                    join (
                        select e.removal, e.host, p.workplace as key, p.directory, p.made,
                            p.session_id, p.session_name, p.outputs
                        from errand e join errand_place p on p.errand = e.key
                        where e.kind = 'keep'
                        union all
                        select e.removal, e.host, 1000000000000 + i.key, i.directory,
                            'by_others', 'any', 'any', ''
                        from errand e join work_item i on i.errand = e.key
                        where e.kind = 'keep' and i.kept_ref is not null) w
                        on w.removal = m.key
                    where m.id = :removal
                    """
                            + REST);

    private static final Sql EVERYWHERE =
            Sql.of(
                    """
                    select w.directory from workplace w where w.host = :host
                    union
                    select i.directory from work_item i
                    where i.host = :host and i.kept_ref is not null
                    order by 1 limit :max
                    """);

    /** Where output lies, or lay before it was taken away. */
    private static final Sql OUTPUTS =
            Sql.of(
                    """
                    select w.outputs from workplace w where w.host = :host
                    union
                    select p.outputs from errand_place p join errand e on e.key = p.errand
                    where e.host = :host and e.kind in ('tidy', 'wipe')
                    order by 1 limit :max
                    """);

    private static final Sql OF_TREE =
            Sql.of(
                    """
                    select w.*, 0 as again, s.id as session_id, s.name as session_name
                    from session s join workplace w on w.session = s.key
                    where s.trail >= :trail and s.trail < :end order by s.trail, w.key limit :max
                    """);

    private static final Sql ADD =
            Sql.of(
                    """
                    insert into errand (removal, kind, host, ignored, directories, at, asked_at)
                    values (
                        (select m.key from removal m where m.id = :removal), :kind, :host,
                        :ignored, :directories, :at, :asked)
                    returning key
                    """);
    private static final Sql ADD_PLACE =
            Sql.of(
                    """
                    insert into errand_place (
                        errand, place, workplace, directory, made, session_id, session_name,
                        outputs, again)
                    values (
                        :errand, :place, :workplace, :directory, :made, :session, :name,
                        :outputs, :again)
                    """);
    private static final Sql ADD_RUNS =
            Sql.of(
                    """
                    insert into errand_run (errand, place, run_id)
                    select :errand, r.key, r.id from run r
                    join any_session s on s.key = r.session where s.id = :session
                    and not exists (
                        select 1 from errand_run x where x.errand = :errand and x.place = r.key)
                    """);

    private static final Sql SHARED =
            Sql.of(
                    """
                    update work_item set sessions = sessions || :more
                    where host = :host and directory = :directory and kind in ('git', 'plain')
                    and errand in (
                        select b.key from errand a join errand b on b.removal = a.removal
                        where a.key = :errand and a.kind = 'keep' and b.kind = 'keep'
                        and b.key < a.key)
                    """);

    private ErrandPlaces() {}

    private record Found(long key, String host, Errand.Place place) {}

    static int ask(String removal, Errand.Kind kind, Errand.Terms terms, int max) {
        var sql =
                switch (kind) {
                    case TIDY, WIPE -> OF_THE_GONE;
                    case RELEASE -> OF_THE_KEPT;
                    case KEEP -> OF_ALL_MEMBERS;
                    case LOOK, COPY, CHECK -> OF_MEMBERS;
                };
        var found =
                Tx.call(sql)
                        .set("removal", removal)
                        .set("kind", SqlErrands.word(kind))
                        .set("max", max)
                        .list(ErrandPlaces::found);
        add(removal, kind, terms, found);
        return found.size();
    }

    static List<Errands.Asked> look(
            Errands.Around around, Errand.Kind kind, Errand.Terms terms, int max) {
        var trail = SqlSessions.keysOf(around.top()).trail();
        var end = around.reach() == Errands.Reach.ALONE ? trail + "!" : Trail.end(trail);
        var found =
                Tx.call(OF_TREE)
                        .set("trail", trail)
                        .set("end", end)
                        .set("max", max + 1L)
                        .list(ErrandPlaces::found);
        boolean more = found.size() > max;
        var asked = new ArrayList<>(add(null, kind, terms, more ? found.subList(0, max) : found));
        if (more) asked.add(rest(max, "places"));
        return List.copyOf(asked);
    }

    /** An errand that nobody has answers for the rest. */
    private static Errands.Asked rest(int max, String what) {
        return new Errands.Asked(new ErrandId("err_0"), "more than %d %s".formatted(max, what));
    }

    static List<Errands.Asked> check(List<String> hosts, Errand.Terms terms, int max) {
        var asked = new ArrayList<Errands.Asked>();
        for (var host : hosts) {
            long errand = add(null, Errand.Kind.CHECK, terms, host);
            var directories = onHost(EVERYWHERE, host, max);
            var outputs = onHost(OUTPUTS, host, max);
            int at = 0;
            for (var directory : atMost(max, directories))
                addAny(errand, at++, host, directory, "");
            for (var root : atMost(max, outputs)) addAny(errand, at++, host, root, root);
            asked.add(new Errands.Asked(SqlErrands.id(errand), host));
            if (Math.max(directories.size(), outputs.size()) > max) {
                asked.add(rest(max, "places on " + host));
            }
        }
        if (!asked.isEmpty()) new SqlSignals().raise(new Topic.ErrandWaits());
        return List.copyOf(asked);
    }

    /** One more than is wanted tells that there are more. */
    private static List<String> onHost(Sql sql, String host, int max) {
        return Tx.call(sql).set("host", host).set("max", max + 1L).list(row -> row.text(1));
    }

    private static List<String> atMost(int max, List<String> all) {
        return all.size() > max ? all.subList(0, max) : all;
    }

    private static void addAny(long errand, int at, String host, String directory, String outputs) {
        var made = Workplace.Made.BY_OTHERS;
        var place = new Errand.Place(directory, made, new SessionId("any"), "any", outputs, false);
        add(errand, at, new Found(at, host, place));
    }

    private static List<Errands.Asked> add(
            @Nullable String removal, Errand.Kind kind, Errand.Terms terms, List<Found> found) {
        var byHost = new LinkedHashMap<String, List<Found>>();
        for (var f : found) byHost.computeIfAbsent(f.host(), _ -> new ArrayList<>()).add(f);
        var asked = new ArrayList<Errands.Asked>();
        byHost.forEach((host, places) -> {
            long errand = add(removal, kind, terms, host);
            int at = 0;
            for (var f : places) add(errand, at++, f);
            asked.add(new Errands.Asked(SqlErrands.id(errand), host));
        });
        if (!asked.isEmpty()) new SqlSignals().raise(new Topic.ErrandWaits());
        return List.copyOf(asked);
    }

    private static long add(
            @Nullable String removal, Errand.Kind kind, Errand.Terms terms, String host) {
        return Tx.call(ADD)
                .set("removal", removal)
                .set("kind", SqlErrands.word(kind))
                .set("host", host)
                .set("ignored", SqlErrands.word(terms.ignored()))
                .set("directories", SqlErrands.word(terms.directories()))
                .set("at", terms.at())
                .set("asked", terms.at())
                .number();
    }

    /** What was kept for some of those who share it was kept for all of them. */
    static boolean isKeptForOthers(long errand, WorkItem item) {
        return item.kept() == null
                && item.kind().isWork()
                && Tx.call(SHARED)
                                .set("errand", errand)
                                .set("host", item.host())
                                .set("directory", item.directory())
                                .set("more", "\n" + String.join("\n", item.sessions()))
                                .update()
                        > 0;
    }

    static ErrandId adopt(String removal, String host, Instant at) {
        return SqlErrands.id(add(removal, Errand.Kind.KEEP, Errand.Terms.at(at), host));
    }

    private static void add(long errand, int at, Found f) {
        var place = f.place();
        Tx.call(ADD_PLACE)
                .set("errand", errand)
                .set("place", at)
                .set("workplace", f.key())
                .set("directory", place.directory())
                .set("made", SqlErrands.word(place.made()))
                .set("session", place.session().value())
                .set("name", place.sessionName())
                .set("outputs", place.outputs())
                .set("again", place.again() ? 1 : 0)
                .update();
        Tx.call(ADD_RUNS).set("errand", errand).set("session", place.session().value()).update();
    }

    private static Found found(Row row) throws SQLException {
        return new Found(row.number("key"), row.text("host"), place(row));
    }

    static Errand.Place place(Row row) throws SQLException {
        return new Errand.Place(
                row.text("directory"),
                SqlErrands.value(Workplace.Made.class, row, "made"),
                new SessionId(row.text("session_id")),
                row.text("session_name"),
                row.text("outputs"),
                row.flag("again"));
    }
}
