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
 * What runners are asked to do with directories. All of it acts within the transaction under way.
 */
public interface DirectoryTasks {
    /**
     * Asks for some more of the places of a removal, one task for each host; how many places there
     * were. Whether others work in a place is looked at when someone takes the task.
     */
    int create(String removal, DirectoryTask.Kind kind, DirectoryTask.Terms terms, int placesMax);

    /** Asks for the places of a session, or of all below it too; for no removal. */
    List<Created> inspect(
            Around around, DirectoryTask.Kind kind, DirectoryTask.Terms terms, int placesMax);

    /** Whose places. */
    record Around(SessionId top, Reach reach) {}

    /** Asks each host for all places where anyone has worked or anything was kept. */
    List<Created> inspectHosts(List<String> hosts, DirectoryTask.Terms terms, int placesMax);

    /** How far down it is looked. */
    enum Reach {
        ALONE,
        TREE
    }

    /** An task, and the host it waits for. */
    record Created(DirectoryTaskId id, String host) {}

    /**
     * What this runner on this host can do now; what another has taken is left to it for a while.
     */
    List<DirectoryTaskId> claimable(String host, RunnerId runner, Instant now, int max);

    /** Whether this runner was told of something just now, and has not asked for more since. */
    boolean awaitsAcknowledgement(String host, RunnerId runner, Instant now);

    /** What this runner was told of, it has heard: it is there, and asks for more. */
    void acknowledge(String host, RunnerId runner, Instant at);

    /** Whether the runner has it now, because nobody else was faster; for long once it is heard. */
    boolean tryClaim(DirectoryTaskId id, RunnerId runner, Instant at);

    Optional<DirectoryTask> find(DirectoryTaskId id);

    boolean isOpen(DirectoryTaskId id);

    void complete(DirectoryTaskId id, Instant at, List<WorkItem> items);

    /** Something was kept on the way; the task itself is still to be done. */
    void addItems(DirectoryTaskId id, List<WorkItem> items);

    /** Whether somebody has done it, and not only tried. */
    boolean isCompleted(DirectoryTaskId id);

    /** The reason the last attempt gave for failing, if it failed. */
    Optional<String> failure(DirectoryTaskId id);

    void fail(DirectoryTaskId id, Instant at, String why);

    /** For work that was kept elsewhere, and comes in with a backup; it still has to be done. */
    DirectoryTaskId adopt(String removal, String host, Instant at);

    /** How far the tasks of a removal are. */
    Progress progress(String removal, DirectoryTask.Kind kind);

    /** {@code hosts} have open tasks; on {@code atWork} of them a runner has taken one. */
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
                    ? "a runner is at work on " + String.join(", ", atWork)
                    : "no runner has answered on " + String.join(", ", silent);
        }
    }

    /** Reopens the releases that failed before a time; returns how many. */
    int retryReleases(Instant failedBefore);

    /** Reopens the tasks of a removal that failed before a time. */
    void retryFailed(String removal, DirectoryTask.Kind kind, Instant failedBefore);

    /** What nobody has taken, or been heard of for a while, is no longer waited for. */
    void giveUp(String removal, DirectoryTask.Kind kind, Instant at, String why);

    /** What nobody is at is not wanted any more, also where it waits for someone who is. */
    void cancelUnclaimed(String removal, DirectoryTask.Kind kind, Instant at, String why);

    /** What was gone on without. */
    List<NotPreserved> notPreserved(String removal, int max);

    /** Places on a host that nobody has looked at, or could not keep, and why not. */
    record NotPreserved(String host, String why, List<String> directories) {
        public NotPreserved {
            directories = List.copyOf(directories);
        }
    }

    List<WorkItem> found(List<DirectoryTaskId> ids);

    /** What a removal has found or kept, in the order in which it was told. */
    Slice<WorkItem> found(String removal, Cursor cursor);

    List<DirectoryTaskId> idsOf(String removal, DirectoryTask.Kind kind);

    /** What runs have printed was kept until they went; the files it was kept in. */
    List<String> deleteOutput(String removal);

    /** Looks leave nothing behind. */
    void delete(List<DirectoryTaskId> looks);

    /** Those that nobody came back for, and copies for backups that were never written. */
    int deleteInspections(Instant askedBefore, Instant copied);
}
