package dev.coppice.audit;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The audit. Appended to in the transaction of the act; nothing else can be done to it. */
public interface Audit {
    AuditRecord append(Act act);

    /** Oldest first, of everyone or of one session and of removals that took it along. */
    List<AuditRecord> after(long number, @Nullable SessionId session, int max);

    /** The same, newest first. */
    Slice<AuditRecord> list(@Nullable SessionId session, Cursor cursor);

    /** The last hash there is; {@link AuditChain#BEGINNING} when there is none. */
    String head();
}
