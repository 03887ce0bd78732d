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
public interface Errands {
    /**
     * Asks for some more of the places of a removal, one errand for each host; how many places
     * there were. Whether others work in a place is looked at when someone takes the errand.
     */
    int ask(String removal, Errand.Kind kind, Errand.Terms terms, int placesMax);

    /** Asks for the places of a session, or of all below it too; for no removal. */
    List<Asked> look(Around around, Errand.Kind kind, Errand.Terms terms, int placesMax);

    /** Whose places. */
    record Around(SessionId top, Reach reach) {}

    /** Asks each host for all places where anyone has worked or anything was kept. */
    List<Asked> check(List<String> hosts, Errand.Terms terms, int placesMax);

    /** How far down it is looked. */
    enum Reach {
        ALONE,
        TREE
    }

    /** An errand, and the host it waits for. */
    record Asked(ErrandId id, String host) {}

    /**
     * What this runner on this host can do now; what another has taken is left to it for a while.
     */
    List<ErrandId> open(String host, RunnerId runner, Instant now, int max);

    /** Whether this runner was told of something just now, and has not asked for more since. */
    boolean isUnheard(String host, RunnerId runner, Instant now);

    /** What this runner was told of, it has heard: it is there, and asks for more. */
    void heard(String host, RunnerId runner, Instant at);

    /** Whether the runner has it now, because nobody else was faster; for long once it is heard. */
    boolean isTaken(ErrandId id, RunnerId runner, Instant at);

    Optional<Errand> find(ErrandId id);

    boolean isOpen(ErrandId id);

    void done(ErrandId id, Instant at, List<WorkItem> items);

    /** Something was kept on the way; the errand itself is still to be done. */
    void keptMore(ErrandId id, List<WorkItem> items);

    /** Whether somebody has done it, and not only tried. */
    boolean hasAnswered(ErrandId id);

    /** The reason the last attempt gave for failing, if it failed. */
    Optional<String> failure(ErrandId id);

    void failed(ErrandId id, Instant at, String why);

    /** For work that was kept elsewhere, and comes in with a backup; it still has to be done. */
    ErrandId adopt(String removal, String host, Instant at);

    /** How far the errands of a removal are. */
    Progress progress(String removal, Errand.Kind kind);

    /** {@code hosts} have open errands; on {@code atWork} of them a runner has taken one. */
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
    int releaseAgain(Instant failedBefore);

    /** Reopens the tasks of a removal that failed before a time. */
    void askAgain(String removal, Errand.Kind kind, Instant failedBefore);

    /** What nobody has taken, or been heard of for a while, is no longer waited for. */
    void giveUp(String removal, Errand.Kind kind, Instant at, String why);

    /** What nobody is at is not wanted any more, also where it waits for someone who is. */
    void letGo(String removal, Errand.Kind kind, Instant at, String why);

    /** What was gone on without. */
    List<NotKept> notKept(String removal, int max);

    /** Places on a host that nobody has looked at, or could not keep, and why not. */
    record NotKept(String host, String why, List<String> directories) {
        public NotKept {
            directories = List.copyOf(directories);
        }
    }

    List<WorkItem> found(List<ErrandId> ids);

    /** What a removal has found or kept, in the order in which it was told. */
    Slice<WorkItem> found(String removal, Cursor cursor);

    List<ErrandId> of(String removal, Errand.Kind kind);

    /** What runs have printed was kept until they went; the files it was kept in. */
    List<String> forgetOutput(String removal);

    /** Looks leave nothing behind. */
    void forget(List<ErrandId> looks);

    /** Those that nobody came back for, and copies for backups that were never written. */
    int forgetLooks(Instant askedBefore, Instant copied);
}
