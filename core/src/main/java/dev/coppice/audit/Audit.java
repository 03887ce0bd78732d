package dev.coppice.audit;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The audit. It is append-only, and a record is written in the transaction of its act. */
public interface Audit {
    AuditRecord append(Act act);

    /**
     * Records after a number, oldest first: all, or those about one session and removals that
     * covered it.
     */
    List<AuditRecord> after(long number, @Nullable SessionId session, int max);

    /** The same, newest first. */
    Slice<AuditRecord> list(@Nullable SessionId session, Cursor cursor);

    /** The hash of the last record; {@link AuditChain#BEGINNING} if there is none. */
    String head();
}
