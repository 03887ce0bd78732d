package dev.coppice.run;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Every run there is. All of it acts within the transaction under way. */
public interface Runs {
    Optional<Run> find(RunId id);

    /** The run that makes its session busy, if one does. */
    Optional<Run> liveOf(SessionId session);

    Optional<Run> latestOf(SessionId session);

    void add(Run run);

    void save(Run run);

    /** Newest first. */
    Slice<Run> list(RunFilter filter, Cursor cursor);

    /** Queued runs, oldest first; looked at, not held: who wants one finds it again by its id. */
    Slice<Run> queued(Cursor cursor);

    /** Runs a runner holds a live lease of, whatever their state. */
    List<Run> heldBy(RunnerId runner);

    /**
     * The last runs of sessions that are in this state, and came to it after a moment, with no run
     * at work: the program may have stayed with this runner.
     */
    List<Run> lastWith(RunnerId runner, String sessionState, Instant after);

    /** Runs whose lease ended before a moment. */
    List<Run> leasedUntil(Instant moment, int max);

    /** Queued runs that nobody took in time. */
    List<Run> unmatchedAt(Instant moment, int max);

    /** Runs whose agents have told nothing for longer than they may; the frozen are passed over. */
    List<Run> silentAt(Instant now, int max);

    /** Runs whose sessions are older than they may grow; the frozen are passed over. */
    List<Run> outlivedAt(Instant now, int max);

    /** The last runs of idle sessions that are older than they may grow; not of the frozen. */
    List<Run> idleOutlivedAt(Instant now, int max);

    /** So much time does not count, and what it was silent before is forgotten. */
    void forgive(RunId id, Duration lost, Instant now);

    /** Nobody could tell anything until now, so nobody was silent. */
    void forgiveSilence(Instant now);

    /** How often its result was sent back to it. */
    void setCorrections(RunId id, int count);

    /**
     * Stores how many bytes of output the runner keeps for a run, and returns whether it changed.
     */
    boolean setOutput(RunId id, long bytes);

    /** Runs on this account that a runner has. */
    int countAtWorkOn(String account);

    /** A number for a claim, higher than every one this run had before. */
    long nextFence(RunId id);

    /** Until when this run waits for a child, or null when it no longer does. */
    void setWaiting(RunId id, @Nullable Instant until);

    /** Live runs of a runner that wait for nobody. */
    int countBusy(RunnerId runner, Instant now);

    /** Live runs of a session and all below it that wait for nobody; {@code not} is left out. */
    int countBusy(SessionId top, @Nullable SessionId not, Instant now);

    /** Gives the leases of a runner at least until then. */
    int extendLeases(RunnerId holder, Instant until);
}
