package dev.coppice.health;

import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The health of visible sessions. Every method joins the current transaction. */
public interface Healths {
    Optional<Health> find(SessionId id, Instant now);

    /**
     * The live sessions, and those that have failed since a time: first those that ask a person,
     * then those that failed, then the others, the newest first.
     */
    List<Health> active(@Nullable SessionId within, Instant failedSince, Instant now, int max);

    /** Counts all sessions from which {@link #active} selects. */
    Sum sum(@Nullable SessionId within, Instant failedSince);

    /** Counts of live and failed sessions, and what the trees with live sessions have spent. */
    record Sum(long live, long idle, long failed, long tokens, long costMicros) {}

    /** The open questions of the session and all below it, or of all sessions; oldest first. */
    List<OpenQuestion> questions(@Nullable SessionId within);

    /** Reads what the headline of the session is made of. */
    LastWords lastWords(SessionId of);

    /** Returns the resource use of the session and all below it. */
    Use below(SessionId top, Instant now);

    /** Stores samples of runs that this runner holds; skips others. */
    void sample(RunnerId by, List<Sample> samples, Instant now);

    /**
     * The resource use of a run's processes.
     *
     * @param printed the last line of its output; null if it has printed none
     */
    record Sample(
            RunId run,
            long cpuMillis,
            long memoryBytes,
            int processes,
            int openFiles,
            LastWords.@Nullable Printed printed) {}
}
