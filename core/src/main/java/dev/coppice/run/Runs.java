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

/** All runs. Every method joins the current transaction. */
public interface Runs {
    /** The time that a run has to find a runner after the hold on its account ends. */
    Duration AFTER_HOLD = Duration.ofMinutes(5);

    Optional<Run> find(RunId id);

    /** The run of the session that has not ended, if any. */
    Optional<Run> liveOf(SessionId session);

    Optional<Run> latestOf(SessionId session);

    void add(Run run);

    void save(Run run);

    /** Newest first. */
    Slice<Run> list(RunFilter filter, Cursor cursor);

    /** The lanes that have queued runs that are not set aside. */
    List<Lane> lanes();

    /**
     * The oldest queued run of the lane behind this place; skips runs that are set aside, and runs
     * of frozen and removed sessions.
     */
    Optional<Lane.First> firstIn(Lane lane, long after);

    /** Counts the queued runs of the lane that are not set aside, up to {@code max}. */
    int countIn(Lane lane, int max);

    /**
     * Sets aside the queued runs of the tree of {@code one} that are within {@code top}: the lanes
     * do not show them. So a claim passes over a spent or frozen tree at once, however many runs
     * wait in it. A run is shown again when it is saved or its session is moved.
     */
    void setAside(SessionId top, SessionId one);

    /**
     * Shows again the runs that were set aside for this session, except those of frozen sessions.
     */
    void takeBack(SessionId top);

    /** The live runs that this runner holds, whatever their state. */
    List<Run> heldBy(RunnerId runner);

    /** The live runs in this state that this runner holds. */
    List<Run> heldBy(RunnerId runner, String state);

    /**
     * The last runs of sessions that entered this state after a moment and have no live run, where
     * this runner held the run: the session's program may still be there.
     */
    List<Run> lastWith(RunnerId runner, String sessionState, Instant after);

    /** Runs whose lease expired before a moment. */
    List<Run> leasedUntil(Instant moment, int max);

    /** Queued runs that no runner claimed in time; skips frozen sessions and held accounts. */
    List<Run> unmatchedAt(Instant moment, int max);

    /** Runs whose agents were silent for too long; skips frozen sessions and waiting runs. */
    List<Run> silentAt(Instant now, int max);

    /** Live runs of sessions that are too old; skips frozen sessions. */
    List<Run> outlivedAt(Instant now, int max);

    /** The last runs of idle sessions that are too old; skips frozen sessions. */
    List<Run> idleOutlivedAt(Instant now, int max);

    /** Adds {@code lost} to the session's allowed age, and counts silence from {@code now}. */
    void extendTimeouts(RunId id, Duration lost, Instant now);

    /** Counts the silence of live runs from {@code now}: no agent could report before. */
    void forgiveSilence(Instant now);

    /** Stores how often the run's result was sent back to its agent. */
    void setCorrections(RunId id, int count);

    /**
     * Stores how many bytes of output the runner keeps for a run, and returns whether it changed.
     */
    boolean setOutput(RunId id, long bytes);

    /** Counts the runs on this account that a runner holds. */
    int countAtWorkOn(String account);

    /** Stores until when this run waits for a child; null if it waits no longer. */
    void setWaiting(RunId id, @Nullable Instant until);

    /** Counts the live runs of a runner that do not wait for a child. */
    int countBusy(RunnerId runner, Instant now);

    /**
     * Counts the live runs of a session and its descendants that do not wait for a child, without
     * those of {@code not}.
     */
    int countBusy(SessionId top, @Nullable SessionId not, Instant now);

    /** Extends the runner's leases that expire earlier; returns how many. */
    int extendLeases(RunnerId holder, Instant until);
}
