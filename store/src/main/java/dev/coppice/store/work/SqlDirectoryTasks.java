package dev.coppice.store.work;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.Slice;
import dev.coppice.store.engine.Call;
import dev.coppice.store.engine.Keyset;
import dev.coppice.store.engine.Row;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.word.Choice;
import dev.coppice.work.DirectoryTask;
import dev.coppice.work.DirectoryTaskId;
import dev.coppice.work.DirectoryTasks;
import dev.coppice.work.WorkItem;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Stores directory tasks. */
public final class SqlDirectoryTasks implements DirectoryTasks {
    /**
     * A runner that does not poll again this soon never received the task: its claim expires early.
     */
    private static final Duration UNHEARD_FOR = Duration.ofSeconds(3);

    /**
     * After this, the same runner may claim again: the response with the task may have been lost.
     */
    private static final Duration TOLD_AGAIN = Duration.ofSeconds(5);

    /** An inspection shows its removal only if that removal may discard the work inspected. */
    private static final Sql FIND =
            Sql.of(
                    """
                    select e.*, m.id as removal_id from task e
                    left join removal m on m.key = e.removal
                    and (e.kind <> 'inspect' or m.work = 'discard') where e.key = :key
                    """);

    private static final Sql OPEN =
            Sql.of(
                    """
                    select e.key from task e
                    where e.host = :host and e.ended_at is null and (
                        e.taken_at is null or e.taken_at <= :silent
                        or (e.runner = :runner and e.taken_at <= :again))
                    and (e.kind <> 'release' or not exists (
                        select 1 from task k where k.removal = e.removal and k.kind = 'preserve'
                        and k.host = e.host and k.ended_at is null))
                    and (e.kind <> 'preserve' or not exists (
                        select 1 from task k where k.removal = e.removal and k.kind = 'preserve'
                        and k.host = e.host and k.ended_at is null and k.key < e.key) or not exists
                        (select 1 from task_place p where p.task = e.key and p.again = 1))
                    order by e.key limit :max
                    """);
    private static final Sql TAKE =
            Sql.of(
                    """
                    update task set runner = :runner,
                        taken_at = case when runner = :runner then :at else :unheard end
                    where key = :key and ended_at is null and (
                        taken_at is null or taken_at <= :silent
                        or (runner = :runner and taken_at <= :again))
                    """);
    private static final Sql UNHEARD =
            Sql.of(
                    """
                    select count(*) from task
                    where host = :host and ended_at is null and runner = :runner
                    and taken_at <= :unheard
                    """);
    private static final Sql HEARD =
            Sql.of(
                    """
                    update task set taken_at = :at
                    where host = :host and ended_at is null and runner = :runner
                    and taken_at <= :unheard
                    """);
    private static final Sql AGAIN_AT_ONCE =
            Sql.of("update task set taken_at = null where key = :key");

    /**
     * Reports a directory as made by others while a session that is not being purged works in or
     * below it. Evaluated when a runner fetches the task, not when the task was created.
     */
    private static final Sql PLACES =
            Sql.of(
                    """
                    select p.task, p.place, p.workplace, p.directory, p.session_id,
                        p.session_name, p.outputs, p.again,
                        case when e.kind in ('clean_up', 'delete') and (
                            exists (
                                select 1 from workplace w join any_session s on s.key = w.session
                                left join removal m on m.key = s.removal
                                where w.host = e.host
                                and (w.directory = p.directory
                                    or (w.directory > p.directory || '/'
                                        and w.directory < p.directory || '0'))
                                and (m.state is null or m.state <> 'purging'))
                            or exists (
                                select 1 from any_session s
                                left join removal m on m.key = s.removal
                                where s.id = p.session_id
                                and (m.state is null or m.state <> 'purging')))
                        then 'by_others' else p.made end as made
                    from task_place p join task e on e.key = p.task
                    where p.task = :key order by p.place
                    """);

    private static final Sql RUNS =
            Sql.of("select r.run_id from task_run r where r.task = :key order by r.place");
    private static final Sql END =
            Sql.of("update task set ended_at = :at, failure = :why where key = :key");

    private static final Sql ITEMS_OF =
            Sql.of("select w.* from work_item w where w.task = :key order by w.key");
    private static final Sql ITEMS =
            Sql.of(
                    """
                    select w.* from work_item w join task e on e.key = w.task
                    where e.removal = (select m.key from removal m where m.id = :removal)
                    and w.key > :after order by w.key limit :max
                    """);
    private static final Sql FORGET = Sql.of("delete from task where key = :key");
    private static final Sql OF =
            Sql.of(
                    "select e.key from task e join removal m on m.key = e.removal"
                            + " where m.id = :removal and e.kind = :kind order by e.key");
    private static final Sql FORGET_OUTPUT =
            Sql.of(
                    """
                    delete from work_item where kind = 'output' and preserved_file is not null
                    and task in (
                        select e.key from task e join removal m on m.key = e.removal
                        where m.id = :removal)
                    """);
    private static final Sql FORGET_INSPECTIONS =
            Sql.of(
                    """
                    delete from task where removal is null and (
                        (kind in ('inspect', 'check') and asked_at < :before)
                        or (kind = 'copy' and asked_at < :copied))
                    """);

    @Override
    public int create(
            String removal, DirectoryTask.Kind kind, DirectoryTask.Terms terms, int placesMax) {
        return TaskPlaces.create(removal, kind, terms, placesMax);
    }

    @Override
    public List<Created> inspect(
            Around around, DirectoryTask.Kind kind, DirectoryTask.Terms terms, int placesMax) {
        return TaskPlaces.inspect(around, kind, terms, placesMax);
    }

    @Override
    public List<Created> inspectHosts(
            List<String> hosts, DirectoryTask.Terms terms, int placesMax) {
        return TaskPlaces.inspectHosts(hosts, terms, placesMax);
    }

    @Override
    public List<DirectoryTaskId> claimable(String host, RunnerId runner, Instant now, int max) {
        return Tx.call(OPEN)
                .set("host", host)
                .set("runner", runner.value())
                .set("silent", now.minus(TaskProgress.TAKEN_FOR))
                .set("again", now.minus(TOLD_AGAIN))
                .set("max", max)
                .list(row -> DirectoryTaskId.of(row.number("key")));
    }

    @Override
    public boolean awaitsAcknowledgement(String host, RunnerId runner, Instant now) {
        return ofRunner(UNHEARD, host, runner, now).number() > 0;
    }

    @Override
    public void acknowledge(String host, RunnerId runner, Instant at) {
        ofRunner(HEARD, host, runner, at).set("at", at).update();
    }

    private static Call ofRunner(Sql sql, String host, RunnerId runner, Instant at) {
        return Tx.call(sql)
                .set("host", host)
                .set("runner", runner.value())
                .set("unheard", at.minus(TaskProgress.TAKEN_FOR).plus(UNHEARD_FOR));
    }

    @Override
    public boolean tryClaim(DirectoryTaskId id, RunnerId runner, Instant at) {
        return Tx.call(TAKE)
                        .set("key", id.key())
                        .set("runner", runner.value())
                        .set("at", at)
                        .set("unheard", at.minus(TaskProgress.TAKEN_FOR).plus(UNHEARD_FOR))
                        .set("silent", at.minus(TaskProgress.TAKEN_FOR))
                        .set("again", at.minus(TOLD_AGAIN))
                        .update()
                == 1;
    }

    @Override
    public Optional<DirectoryTask> find(DirectoryTaskId id) {
        long key = id.key();
        var found = Tx.call(PLACES).set("key", key).list(TaskPlaces::place);
        var runs = Tx.call(RUNS).set("key", key).list(row -> new RunId(row.text("run_id")));
        return Tx.call(FIND).set("key", key).first(row -> task(row, found, runs));
    }

    @Override
    public boolean isOpen(DirectoryTaskId id) {
        return Tx.call(FIND)
                .set("key", id.key())
                .first(row -> row.instantOrNull("ended_at") == null)
                .orElse(false);
    }

    @Override
    public void complete(DirectoryTaskId id, Instant at, List<WorkItem> items) {
        Tx.call(END).set("key", id.key()).set("at", at).set("why", (String) null).update();
        items.forEach(item -> WorkItemRow.add(id.key(), item));
    }

    @Override
    public void addItems(DirectoryTaskId id, List<WorkItem> items) {
        Tx.call(AGAIN_AT_ONCE).set("key", id.key()).update();
        items.forEach(item -> WorkItemRow.add(id.key(), item));
    }

    @Override
    public Optional<String> failure(DirectoryTaskId id) {
        return Tx.call(FIND)
                .set("key", id.key())
                .first(row -> Optional.ofNullable(row.textOrNull("failure")))
                .flatMap(why -> why);
    }

    @Override
    public boolean isCompleted(DirectoryTaskId id) {
        return Tx.call(FIND)
                .set("key", id.key())
                .first(row ->
                        row.instantOrNull("ended_at") != null && row.textOrNull("failure") == null)
                .orElse(false);
    }

    @Override
    public void fail(DirectoryTaskId id, Instant at, String why) {
        Tx.call(END).set("key", id.key()).set("at", at).set("why", why).update();
    }

    @Override
    public DirectoryTaskId adopt(String removal, String host, Instant at) {
        return TaskPlaces.adopt(removal, host, at);
    }

    @Override
    public Progress progress(String removal, DirectoryTask.Kind kind) {
        return TaskProgress.idsOf(removal, kind);
    }

    @Override
    public int retryReleases(Instant failedBefore) {
        return TaskProgress.retryReleases(failedBefore);
    }

    @Override
    public void retryFailed(String removal, DirectoryTask.Kind kind, Instant failedBefore) {
        TaskProgress.retryFailed(removal, kind, failedBefore);
    }

    @Override
    public void giveUp(String removal, DirectoryTask.Kind kind, Instant at, String why) {
        TaskProgress.giveUp(removal, kind, at, why);
    }

    @Override
    public void cancelUnclaimed(String removal, DirectoryTask.Kind kind, Instant at, String why) {
        TaskProgress.cancelUnclaimed(removal, kind, at, why);
    }

    @Override
    public List<NotPreserved> notPreserved(String removal, int max) {
        return TaskProgress.notPreserved(removal, max);
    }

    @Override
    public List<WorkItem> found(List<DirectoryTaskId> ids) {
        return ids.stream()
                .flatMap(
                        id -> Tx.call(ITEMS_OF).set("key", id.key()).list(WorkItemRow::of).stream())
                .toList();
    }

    @Override
    public Slice<WorkItem> found(String removal, Cursor cursor) {
        long after = cursor.after() == null ? 0 : Keyset.number(cursor.after());
        var found =
                Tx.call(ITEMS)
                        .set("removal", removal)
                        .set("after", after)
                        .set("max", cursor.max() + 1L)
                        .page(
                                cursor.max() + 1,
                                row -> new Keyed(WorkItemRow.of(row), row.number("key")));
        return Keyset.slice(found, cursor.max(), k -> Long.toString(k.key()));
    }

    private record Keyed(WorkItem value, long key) implements Keyset.Item<WorkItem> {}

    @Override
    public void delete(List<DirectoryTaskId> looks) {
        for (var id : looks) Tx.call(FORGET).set("key", id.key()).update();
    }

    @Override
    public List<DirectoryTaskId> idsOf(String removal, DirectoryTask.Kind kind) {
        return Tx.call(OF)
                .set("removal", removal)
                .set("kind", kind)
                .list(row -> DirectoryTaskId.of(row.number("key")));
    }

    @Override
    public void deleteOutput(String removal) {
        Tx.call(FORGET_OUTPUT).set("removal", removal).update();
    }

    @Override
    public int deleteInspections(Instant askedBefore, Instant copied) {
        return Tx.call(FORGET_INSPECTIONS)
                .set("before", askedBefore)
                .set("copied", copied)
                .update();
    }

    private static DirectoryTask task(Row row, List<DirectoryTask.Place> places, List<RunId> runs)
            throws SQLException {
        return new DirectoryTask(
                DirectoryTaskId.of(row.number("key")),
                row.constant(DirectoryTask.Kind.class, "kind"),
                row.text("host"),
                row.textOrNull("removal_id"),
                new DirectoryTask.Terms(
                        row.constant(Choice.Ignored.class, "ignored"),
                        row.constant(Choice.Directories.class, "directories"),
                        row.instant("at")),
                places,
                runs);
    }
}
