package dev.coppice.callback;

import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** All joins. Every method joins the current transaction. */
public interface Joins {
    void add(Join join);

    /** Saves the count and the state; the members never change. */
    void save(Join join);

    Optional<Join> find(JoinId id);

    /** Open joins that wait for this run. */
    List<Join> waitingFor(RunId run);

    /** Open joins of a session. */
    List<Join> openOf(SessionId by);

    /** Open joins past their deadline. The deadline of a frozen session is suspended. */
    List<JoinId> dueAt(Instant now, int max);
}
