package dev.coppice.callback;

import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Every join there is. All of it acts within the transaction under way. */
public interface Joins {
    void add(Join join);

    /** Keeps the count and the state; the members never change. */
    void save(Join join);

    Optional<Join> find(JoinId id);

    /** Open joins that wait for this run. */
    List<Join> waitingFor(RunId run);

    /** Open joins of a session. */
    List<Join> openOf(SessionId by);

    /** Open joins whose time is up; the time of a frozen session stands still. */
    List<JoinId> dueAt(Instant now, int max);
}
