package dev.coppice.held;

import dev.coppice.audit.Act;
import dev.coppice.audit.Audit;
import dev.coppice.audit.AuditChain;
import dev.coppice.audit.AuditRecord;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The audit log in memory. */
public final class HeldAudit implements Audit {
    private final HeldStore store;

    HeldAudit(HeldStore store) {
        this.store = store;
    }

    private List<AuditRecord> all() {
        return store.now().audit;
    }

    @Override
    public AuditRecord append(Act act) {
        var record = AuditChain.next(all().isEmpty() ? null : all().getLast(), act);
        all().add(record);
        return record;
    }

    @Override
    public List<AuditRecord> after(long number, @Nullable SessionId session, int max) {
        return all().stream()
                .filter(r -> r.number() > number && isOf(r, session))
                .limit(max)
                .toList();
    }

    @Override
    public Slice<AuditRecord> list(@Nullable SessionId session, Cursor cursor) {
        long before = cursor.after() == null ? Long.MAX_VALUE : Long.parseLong(cursor.after());
        var found =
                all().reversed().stream()
                        .filter(r -> r.number() < before && isOf(r, session))
                        .toList();
        boolean more = found.size() > cursor.max();
        var shown = more ? found.subList(0, cursor.max()) : found;
        return new Slice<>(shown, more ? Long.toString(shown.getLast().number()) : null);
    }

    private boolean isOf(AuditRecord record, @Nullable SessionId session) {
        if (session == null) return true;
        var what = record.act().what();
        if (session.value().equals(what.session())) return true;
        var removal = what.removal() == null ? null : store.now().removals.get(what.removal());
        return removal != null
                && removal.removal().top().id().value().equals(what.session())
                && removal.members().stream().anyMatch(m -> m.id().equals(session));
    }

    @Override
    public String head() {
        return all().isEmpty() ? AuditChain.BEGINNING : all().getLast().hash();
    }
}
