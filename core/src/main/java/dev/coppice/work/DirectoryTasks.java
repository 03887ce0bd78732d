package dev.coppice.work;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Directory tasks for runners: inspect, preserve, clean up, delete, copy, check, release. A task is
 * created for a host, claimed by one runner there, acknowledged by that runner's next poll, and
 * completed or failed. Every method joins the current transaction.
 */
public interface DirectoryTasks {
    /**
     * Creates one task per host for the next {@code placesMax} directories of a removal; returns
     * how many directories there were. Use by other sessions is checked later, when a runner gets
     * the task.
     */
    int create(String removal, DirectoryTask.Kind kind, DirectoryTask.Terms terms, int placesMax);

    /** Creates tasks for the directories of a session or of its tree, without a removal. */
    List<Created> inspect(
            Around around, DirectoryTask.Kind kind, DirectoryTask.Terms terms, int placesMax);

    /** The session, and how far below it to go. */
    record Around(SessionId top, Reach reach) {}

    /**
     * Creates one task per host for all directories where sessions worked or work was preserved.
     */
    List<Created> inspectHosts(List<String> hosts, DirectoryTask.Terms terms, int placesMax);

    enum Reach {
        ALONE,
        TREE
    }

    record Created(DirectoryTaskId id, String host) {}

    /**
     * Tasks this runner may claim. A task claimed by another runner stays reserved until that claim
     * expires.
     */
    List<DirectoryTaskId> claimable(String host, RunnerId runner, Instant now, int max);

    /** True if the runner was sent a task and has not polled since. */
    boolean awaitsAcknowledgement(String host, RunnerId runner, Instant now);

    /** Records that the runner polled again, which proves that it received its last batch. */
    void acknowledge(String host, RunnerId runner, Instant at);

    /** Claims the task; false if another runner was faster. Acknowledging extends the claim. */
    boolean tryClaim(DirectoryTaskId id, RunnerId runner, Instant at);

    Optional<DirectoryTask> find(DirectoryTaskId id);

    boolean isOpen(DirectoryTaskId id);

    void complete(DirectoryTaskId id, Instant at, List<WorkItem> items);

    /** Adds work that was preserved on the way. The task stays open and can be claimed at once. */
    void addItems(DirectoryTaskId id, List<WorkItem> items);

    /** True if the task ended without a failure. */
    boolean isCompleted(DirectoryTaskId id);

    /** The reason the last attempt gave for failing, if it failed. */
    Optional<String> failure(DirectoryTaskId id);

    void fail(DirectoryTaskId id, Instant at, String why);

    /** Creates a task for preserved work that comes in with a backup. The task is open. */
    DirectoryTaskId adopt(String removal, String host, Instant at);

    /** The progress of a removal's tasks of one kind. */
    Progress progress(String removal, DirectoryTask.Kind kind);

    /** {@code hosts} have open tasks; on {@code atWork} of them a runner has claimed one. */
    record Progress(
            long open,
            long failed,
            @Nullable String failure,
            List<String> hosts,
            List<String> atWork) {
        public static final Progress OVER = new Progress(0, 0, null, List.of(), List.of());

        public Progress {
            hosts = List.copyOf(hosts);
            atWork = List.copyOf(atWork);
        }

        /** A sentence that names the hosts this removal waits for. */
        public String said() {
            var silent = hosts.stream().filter(h -> !atWork.contains(h)).toList();
            return silent.isEmpty()
                    ? "a runner is working on " + String.join(", ", atWork)
                    : "no runner has answered on " + String.join(", ", silent);
        }
    }

    /** Reopens the releases that failed before a time; returns how many. */
    int retryReleases(Instant failedBefore);

    /** Reopens the tasks of a removal that failed before a time. */
    void retryFailed(String removal, DirectoryTask.Kind kind, Instant failedBefore);

    /**
     * Gives up failed tasks, and open ones without a live claim. A task that is queued behind one
     * with a live claim stays open.
     */
    void giveUp(String removal, DirectoryTask.Kind kind, Instant at, String why);

    /** Cancels failed and unclaimed tasks, including those queued behind a claimed one. */
    void cancelUnclaimed(String removal, DirectoryTask.Kind kind, Instant at, String why);

    /** The directories of tasks that were given up. */
    List<NotPreserved> notPreserved(String removal, int max);

    /** Directories on a host that were not inspected or preserved, and the reason. */
    record NotPreserved(String host, String why, List<String> directories) {
        public NotPreserved {
            directories = List.copyOf(directories);
        }
    }

    List<WorkItem> found(List<DirectoryTaskId> ids);

    /** The work that a removal found or preserved, in the order in which it was reported. */
    Slice<WorkItem> found(String removal, Cursor cursor);

    List<DirectoryTaskId> idsOf(String removal, DirectoryTask.Kind kind);

    /** Deletes the records of preserved output of runs, whose files are deleted before. */
    void deleteOutput(String removal);

    /** Deletes tasks and the work that they reported. */
    void delete(List<DirectoryTaskId> looks);

    /**
     * Deletes inspections whose results were never collected, and copies for backups that were
     * never written; returns how many.
     */
    int deleteInspections(Instant askedBefore, Instant copied);
}
