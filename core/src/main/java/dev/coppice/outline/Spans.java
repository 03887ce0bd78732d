package dev.coppice.outline;

import dev.coppice.kernel.SessionId;

import java.time.Instant;
import java.util.List;

/** The times in which the sessions of trees worked. Every method joins the current transaction. */
public interface Spans {
    /**
     * The session and all below it whose states changed at or after a moment, depth first, at most
     * {@code max}.
     */
    List<Span> below(SessionId top, Instant since, int max);

    /**
     * The callbacks below the session that woke a parent at or after a moment, the latest first.
     */
    List<Span.Wake> wakes(SessionId top, Instant since, int max);
}
