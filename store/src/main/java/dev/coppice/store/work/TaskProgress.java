package dev.coppice.store.work;

import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.work.DirectoryTask;
import dev.coppice.work.DirectoryTasks;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** The progress of a removal's tasks: which are pending, retried or given up. */
final class TaskProgress {
    /** How long a claim lasts unless its runner acknowledges it or claims again. */
    static final Duration TAKEN_FOR = Duration.ofMinutes(2);

    private static final Sql PROGRESS =
            Sql.of(
                    """
                    select e.host, e.failure, e.ended_at, e.taken_at from task e
                    where e.removal = (select m.key from removal m where m.id = :removal)
                    and e.kind = :kind and (e.ended_at is null or e.failure is not null)
                    and e.given_up = 0 order by e.key
                    """);

    /** Does not give up a task that is queued behind an active one on the same host. */
    private static final Sql GIVE_UP =
            Sql.of(
                    """
                    update task set ended_at = :at, failure = :why, given_up = 1
                    where removal = (select m.key from removal m where m.id = :removal)
                    and kind = :kind and given_up = 0 and (failure is not null or (
                        ended_at is null and (taken_at is null or taken_at <= :silent)
                        and not exists (select 1 from task k where k.kind = 'preserve'
                            and k.removal = task.removal and k.host = task.host
                            and k.key < task.key and coalesce(k.ended_at, k.taken_at) > :heard)))
                    """);

    private static final Sql AGAIN =
            Sql.of(
                    """
                    update task set ended_at = null, failure = null, taken_at = null
                    where removal = (select m.key from removal m where m.id = :removal)
                    and kind = :kind and failure is not null and given_up = 0
                    and ended_at < :before
                    """);

    private static final Sql RELEASE_AGAIN =
            Sql.of(
                    """
                    update task set ended_at = null, failure = null, taken_at = null
                    where kind = 'release' and failure is not null and ended_at < :before
                    """);

    private static final Sql NOT_PRESERVED =
            Sql.of(
                    """
                    select e.host, coalesce(e.failure, '') as why, p.directory from task e
                    join task_place p on p.task = e.key
                    where e.removal = (select m.key from removal m where m.id = :removal)
                    and e.given_up = 1 and e.kind <> 'release'
                    order by e.key, p.place limit :max
                    """);

    private TaskProgress() {}

    static DirectoryTasks.Progress idsOf(String removal, DirectoryTask.Kind kind) {
        record Left(String host, @Nullable String failure, boolean open, boolean taken) {}

        var left =
                Tx.call(PROGRESS)
                        .set("removal", removal)
                        .set("kind", kind)
                        .list(row ->
                                new Left(
                                        row.text("host"),
                                        row.textOrNull("failure"),
                                        row.instantOrNull("ended_at") == null,
                                        row.instantOrNull("taken_at") != null));
        var failures = left.stream().filter(l -> !l.open()).toList();
        return new DirectoryTasks.Progress(
                left.size() - failures.size(),
                failures.size(),
                failures.isEmpty() ? null : failures.getFirst().failure(),
                left.stream().filter(Left::open).map(Left::host).distinct().toList(),
                left.stream()
                        .filter(Left::open)
                        .filter(Left::taken)
                        .map(Left::host)
                        .distinct()
                        .toList());
    }

    static void giveUp(String removal, DirectoryTask.Kind kind, Instant at, String why) {
        giveUp(removal, kind, new Since(at, at.minus(TAKEN_FOR)), why);
    }

    static void cancelUnclaimed(String removal, DirectoryTask.Kind kind, Instant at, String why) {
        giveUp(removal, kind, new Since(at, at), why);
    }

    /**
     * {@code heard}: an earlier task claimed or ended after this instant still holds back those
     * behind it.
     */
    private record Since(Instant now, Instant heard) {}

    private static void giveUp(String removal, DirectoryTask.Kind kind, Since since, String why) {
        Tx.call(GIVE_UP)
                .set("removal", removal)
                .set("kind", kind)
                .set("at", since.now())
                .set("why", why)
                .set("silent", since.now().minus(TAKEN_FOR))
                .set("heard", since.heard())
                .update();
    }

    static List<DirectoryTasks.NotPreserved> notPreserved(String removal, int max) {
        record Left(String host, String why) {}

        var found = new LinkedHashMap<Left, List<String>>();
        Tx.call(NOT_PRESERVED)
                .set("removal", removal)
                .set("max", max)
                .list(row ->
                        found.computeIfAbsent(
                                        new Left(row.text("host"), row.text("why")),
                                        _ -> new ArrayList<>())
                                .add(row.text("directory")));
        return found.entrySet().stream()
                .map(e ->
                        new DirectoryTasks.NotPreserved(
                                e.getKey().host(), e.getKey().why(), e.getValue()))
                .toList();
    }

    static void retryFailed(String removal, DirectoryTask.Kind kind, Instant failedBefore) {
        Tx.call(AGAIN)
                .set("removal", removal)
                .set("kind", kind)
                .set("before", failedBefore)
                .update();
    }

    static int retryReleases(Instant failedBefore) {
        return Tx.call(RELEASE_AGAIN).set("before", failedBefore).update();
    }
}
