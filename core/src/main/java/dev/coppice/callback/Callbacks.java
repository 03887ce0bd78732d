package dev.coppice.callback;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** All callbacks. Every method joins the current transaction. */
public interface Callbacks {
    void add(Callback callback);

    void save(Callback callback);

    Optional<Callback> find(CallbackId id);

    /** Owed and held callbacks of a session, oldest first. */
    List<Callback> openOf(SessionId to, int max);

    /** Open callbacks of the session about the ends of this child's runs. */
    List<Callback> openAbout(SessionId to, SessionId child);

    /** Undelivered messages to a session and its descendants. */
    List<Callback> messagesWithin(SessionId top, int max);

    /** Callbacks that this live run carries. */
    List<Callback> carriedBy(RunId run);

    /** The callback about the end of this run. */
    Optional<Callback> ofChildRun(RunId run);

    /** Sessions with a due callback, the longest due first; skips busy and frozen sessions. */
    List<SessionId> waitingSince(Instant now, int max);

    /** Callbacks that have been held since before a moment. */
    List<Callback> heldSince(Instant moment, int max);

    /** True if a run of the session ever carried this notice. */
    boolean hasCarried(SessionId to, About.Notice notice);

    /** Callbacks, newest first. */
    Slice<Callback> list(CallbackFilter filter, Cursor cursor);
}
