package dev.coppice.outside;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/** The live processes of programs that Coppice did not start. Joins the current transaction. */
public interface OutsideProcesses {
    /**
     * Stores the process of a session in place of an earlier one. Another session of the same
     * process loses it: a program may begin a new conversation.
     */
    void save(OutsideProcess process);

    Optional<OutsideProcess> of(SessionId session);

    Optional<OutsideProcess> with(String host, long pid);

    /** Returns the processes of a session and all below it, the latest first. */
    Slice<OutsideProcess> list(@Nullable SessionId within, Cursor cursor);

    /** Returns the processes on a host, the oldest first. */
    List<OutsideProcess> on(String host, int max);

    long count(String host);

    void delete(SessionId session);
}
