package dev.coppice.run;

import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/** Runs with hooks: sessions that run before or after them. Joins the current transaction. */
public interface HookedRuns {
    /** A run that waits for its hook; null if the hook has not been started. */
    record Waiting(Run run, @Nullable SessionId hook) {}

    /** Runs whose hook is to be started, or has ended. */
    List<Waiting> due(int max);

    /** Finished runs whose following hook is to be started. */
    List<Run> followed(int max);

    /** The run, if it still waits for its hook. */
    Optional<Waiting> waiting(RunId run);

    /** True if the session was started as a hook of a run. */
    boolean isHook(SessionId session);

    void begun(RunId run, SessionId hook);

    /** Marks a finished run that a hook is to follow. */
    void oweFollower(RunId run);

    /** True if the hook that is to follow the run has not been started. */
    boolean owesFollower(RunId run);

    /** Records the session that follows the run; null if none can be started. */
    void followed(RunId run, @Nullable SessionId by);

    /** Stores the input that a hook gave to a run. */
    void saveParameters(Run run);
}
