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

    /** The live sessions, and those that failed a short time ago, newest first. */
    List<Health> active(@Nullable SessionId within, Instant now, int max);

    /** The open questions of the session and all below it, or of all sessions; oldest first. */
    List<Question> questions(@Nullable SessionId within);

    /** Returns the resource use of the session and all below it. */
    Use below(SessionId top, Instant now);

    /** Stores samples of runs that this runner holds; skips others. */
    void sample(RunnerId by, List<Sample> samples, Instant now);

    /** The resource use of a run's processes. */
    record Sample(RunId run, long cpuMillis, long memoryBytes, int processes, int openFiles) {}
}
