package dev.coppice.store.work;

import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Trail;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.engine.Tx.Keys;
import dev.coppice.work.DirectoryTask;
import dev.coppice.work.DirectoryTaskId;
import dev.coppice.work.DirectoryTasks;
import dev.coppice.work.WorkItem;
import dev.coppice.work.Workplace;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** Creates directory tasks: selects the places of sessions, and adds the runs with output there. */
final class TaskPlaces {
    /** Continues after the last place that has a task. */
    private static final String REST =
            """
            and w.key > (
                select coalesce(max(p.workplace), 0) from task e
                join task_place p on p.task = e.key
                where e.removal = m.key and e.kind = :kind)
            order by w.key limit :max
            """;

    /** True if the removal already has a task for the directory, from a session that shares it. */
    private static final String ASKED =
            """
            exists (
                select 1 from workplace w2 join any_session s2 on s2.key = w2.session
                where s2.removal = m.key and w2.host = w.host and w2.directory = w.directory
                and w2.key <= (
                    select coalesce(max(p.workplace), 0) from task e
                    join task_place p on p.task = e.key
                    where e.removal = m.key and e.kind = :kind))
            """;

    private static final String WHERE_MEMBERS_WORK =
            """
            from removal m join any_session s on s.removal = m.key
            join workplace w on w.session = s.key where m.id = :removal
            """;

    /** Selects each directory once. */
    private static final Sql OF_MEMBERS =
            Sql.of(
                    "select w.*, 0 as again, s.id as session_id, s.name as session_name "
                            + WHERE_MEMBERS_WORK
                            + "and not "
                            + ASKED
                            + REST);

    /**
     * Selects every place, because each session has output. Only the first place of a directory
     * preserves its contents.
     */
    private static final Sql OF_ALL_MEMBERS =
            Sql.of(
                    "select w.*, s.id as session_id, s.name as session_name, case when "
                            + ASKED
                            + " then 1 else 0 end as again "
                            + WHERE_MEMBERS_WORK
                            + REST);

    /** Selects the whole subtree, which is purged with the sessions that were hidden before. */
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
     * Places that were to be preserved, and the repositories inside them that runners reported. The
     * offset keeps the keys of the repositories above those of all places.
     */
    private static final Sql OF_PRESERVED =
            Sql.of(
                    """
                    select distinct w.*, 0 as again from removal m
                    join (
                        select e.removal, e.host, p.workplace as key, p.directory, p.made,
                            p.session_id, p.session_name, p.outputs
                        from task e join task_place p on p.task = e.key
                        where e.kind = 'preserve'
                        union all
                        select e.removal, e.host, 1000000000000 + i.key, i.directory,
                            'by_others', 'any', 'any', ''
                        from task e join work_item i on i.task = e.key
                        where e.kind = 'preserve' and i.preserved_ref is not null) w
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
                    where i.host = :host and i.preserved_ref is not null
                    order by 1 limit :max
                    """);

    /** The roots of output, including those whose output was deleted. */
    private static final Sql OUTPUTS =
            Sql.of(
                    """
                    select w.outputs from workplace w where w.host = :host and w.outputs <> ''
                    union
                    select p.outputs from task_place p join task e on e.key = p.task
                    where e.host = :host and e.kind in ('clean_up', 'delete') and p.outputs <> ''
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
                    insert into task (removal, kind, host, ignored, directories, at, asked_at)
                    values (
                        (select m.key from removal m where m.id = :removal), :kind, :host,
                        :ignored, :directories, :at, :asked)
                    returning key
                    """);
    private static final Sql ADD_PLACE =
            Sql.of(
                    """
                    insert into task_place (
                        task, place, workplace, directory, made, session_id, session_name,
                        outputs, again)
                    values (
                        :task, :place, :workplace, :directory, :made, :session, :name,
                        :outputs, :again)
                    """);
    private static final Sql ADD_RUNS =
            Sql.of(
                    """
                    insert into task_run (task, place, run_id)
                    select :task, r.key, r.id from run r
                    join any_session s on s.key = r.session where s.id = :session
                    and not exists (
                        select 1 from task_run x where x.task = :task and x.place = r.key)
                    """);

    private static final Sql SHARED =
            Sql.of(
                    """
                    update work_item set sessions = sessions || :more
                    where host = :host and directory = :directory and kind in ('git', 'plain')
                    and task in (
                        select b.key from task a join task b on b.removal = a.removal
                        where a.key = :task and a.kind = 'preserve' and b.kind = 'preserve'
                        and b.key < a.key)
                    """);

    private TaskPlaces() {}

    private record Found(long key, String host, DirectoryTask.Place place) {}

    static int create(String removal, DirectoryTask.Kind kind, DirectoryTask.Terms terms, int max) {
        var sql =
                switch (kind) {
                    case CLEAN_UP, DELETE -> OF_THE_GONE;
                    case RELEASE -> OF_PRESERVED;
                    case PRESERVE -> OF_ALL_MEMBERS;
                    case INSPECT, COPY, CHECK -> OF_MEMBERS;
                };
        var found =
                Tx.call(sql)
                        .set("removal", removal)
                        .set("kind", kind)
                        .set("max", max)
                        .list(TaskPlaces::found);
        add(removal, kind, terms, found);
        return found.size();
    }

    static List<DirectoryTasks.Created> inspect(
            DirectoryTasks.Around around,
            DirectoryTask.Kind kind,
            DirectoryTask.Terms terms,
            int max) {
        var trail = Keys.of(around.top()).trail();
        var end = around.reach() == DirectoryTasks.Reach.ALONE ? trail + "!" : Trail.end(trail);
        var found =
                Tx.call(OF_TREE)
                        .set("trail", trail)
                        .set("end", end)
                        .set("max", max + 1L)
                        .list(TaskPlaces::found);
        boolean more = found.size() > max;
        var asked = new ArrayList<>(add(null, kind, terms, more ? found.subList(0, max) : found));
        if (more) asked.add(rest(max, "places"));
        return List.copyOf(asked);
    }

    /** Stands for the places beyond the limit: a task that no runner answers. */
    private static DirectoryTasks.Created rest(int max, String what) {
        return new DirectoryTasks.Created(
                new DirectoryTaskId("task_0"), "more than %d %s".formatted(max, what));
    }

    static List<DirectoryTasks.Created> inspectHosts(
            List<String> hosts, DirectoryTask.Terms terms, int max) {
        var asked = new ArrayList<DirectoryTasks.Created>();
        for (var host : hosts) {
            long task = add(null, DirectoryTask.Kind.CHECK, terms, host);
            var directories = onHost(EVERYWHERE, host, max);
            var outputs = onHost(OUTPUTS, host, max);
            int at = 0;
            for (var directory : atMost(max, directories)) addAny(task, at++, host, directory, "");
            for (var root : atMost(max, outputs)) addAny(task, at++, host, root, root);
            asked.add(new DirectoryTasks.Created(DirectoryTaskId.of(task), host));
            if (Math.max(directories.size(), outputs.size()) > max) {
                asked.add(rest(max, "places on " + host));
            }
        }
        if (!asked.isEmpty()) Tx.current().raise(new Topic.TaskWaits());
        return List.copyOf(asked);
    }

    /** Reads one more than wanted, to know whether there are more. */
    private static List<String> onHost(Sql sql, String host, int max) {
        return Tx.call(sql).set("host", host).set("max", max + 1L).list(row -> row.text(1));
    }

    private static List<String> atMost(int max, List<String> all) {
        return all.size() > max ? all.subList(0, max) : all;
    }

    private static void addAny(long task, int at, String host, String directory, String outputs) {
        var made = Workplace.Made.BY_OTHERS;
        var place =
                new DirectoryTask.Place(
                        directory, made, new SessionId("any"), "any", outputs, false);
        add(task, at, new Found(at, host, place));
    }

    private static List<DirectoryTasks.Created> add(
            @Nullable String removal,
            DirectoryTask.Kind kind,
            DirectoryTask.Terms terms,
            List<Found> found) {
        var byHost = new LinkedHashMap<String, List<Found>>();
        for (var f : found) byHost.computeIfAbsent(f.host(), _ -> new ArrayList<>()).add(f);
        var asked = new ArrayList<DirectoryTasks.Created>();
        byHost.forEach((host, places) -> {
            long task = add(removal, kind, terms, host);
            int at = 0;
            for (var f : places) add(task, at++, f);
            asked.add(new DirectoryTasks.Created(DirectoryTaskId.of(task), host));
        });
        if (!asked.isEmpty()) Tx.current().raise(new Topic.TaskWaits());
        return List.copyOf(asked);
    }

    private static long add(
            @Nullable String removal,
            DirectoryTask.Kind kind,
            DirectoryTask.Terms terms,
            String host) {
        return Tx.call(ADD)
                .set("removal", removal)
                .set("kind", kind)
                .set("host", host)
                .set("ignored", terms.ignored())
                .set("directories", terms.directories())
                .set("at", terms.at())
                .set("asked", terms.at())
                .number();
    }

    /**
     * Adds the sessions of the item to the work that was already preserved from the same directory.
     * False if there is none.
     */
    static boolean shareIfPreserved(long task, WorkItem item) {
        return item.preserved() == null
                && item.kind().isWork()
                && Tx.call(SHARED)
                                .set("task", task)
                                .set("host", item.host())
                                .set("directory", item.directory())
                                .set("more", "\n" + String.join("\n", item.sessions()))
                                .update()
                        > 0;
    }

    static DirectoryTaskId adopt(String removal, String host, Instant at) {
        return DirectoryTaskId.of(
                add(removal, DirectoryTask.Kind.PRESERVE, DirectoryTask.Terms.at(at), host));
    }

    private static void add(long task, int at, Found f) {
        var place = f.place();
        Tx.call(ADD_PLACE)
                .set("task", task)
                .set("place", at)
                .set("workplace", f.key())
                .set("directory", place.directory())
                .set("made", place.made())
                .set("session", place.session().value())
                .set("name", place.sessionName())
                .set("outputs", place.outputs())
                .set("again", place.again() ? 1 : 0)
                .update();
        Tx.call(ADD_RUNS).set("task", task).set("session", place.session().value()).update();
    }

    private static Found found(Row row) throws SQLException {
        return new Found(row.number("key"), row.text("host"), place(row));
    }

    static DirectoryTask.Place place(Row row) throws SQLException {
        return new DirectoryTask.Place(
                row.text("directory"),
                row.constant(Workplace.Made.class, "made"),
                new SessionId(row.text("session_id")),
                row.text("session_name"),
                row.text("outputs"),
                row.flag("again"));
    }
}
