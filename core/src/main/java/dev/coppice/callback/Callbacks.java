package dev.coppice.callback;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Every callback there is. All of it acts within the transaction under way. */
public interface Callbacks {
    void add(Callback callback);

    void save(Callback callback);

    Optional<Callback> find(CallbackId id);

    /** Of a session: those owed and those held, oldest first. */
    List<Callback> openOf(SessionId to, int max);

    /** Those of them that tell how this child has ended. */
    List<Callback> openAbout(SessionId to, SessionId child);

    /** Messages that nobody has heard yet, to a session and to all below it. */
    List<Callback> messagesWithin(SessionId top, int max);

    /** Those of which this run was told, while it is under way. */
    List<Callback> carriedBy(RunId run);

    /** The one for the end of this run. */
    Optional<Callback> ofChildRun(RunId run);

    /** Sessions to which something is owed and due, the longest due first. */
    List<SessionId> waitingSince(Instant now, int max);

    /** Those that have been held since before a moment. */
    List<Callback> heldSince(Instant moment, int max);

    /** True if a run of the session ever carried this notice. */
    boolean hasCarried(SessionId to, About.Notice notice);

    /** Newest first. */
    Slice<Callback> list(CallbackFilter filter, Cursor cursor);
}
