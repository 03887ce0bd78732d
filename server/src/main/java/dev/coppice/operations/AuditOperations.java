package dev.coppice.operations;

import dev.coppice.access.Need;
import dev.coppice.audit.Audit;
import dev.coppice.audit.AuditChain;
import dev.coppice.audit.AuditRecord;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Outcome;
import dev.coppice.request.Operation;
import dev.coppice.request.Reply;
import dev.coppice.view.AuditViews;
import dev.coppice.wire.Json;
import dev.coppice.wire.removal.AuditCalls;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Lists the audit, verifies that it is unchanged, and exports it. */
public final class AuditOperations {
    private final Scope scope;
    private final Audit audit;

    public AuditOperations(Scope scope, Audit audit) {
        this.scope = scope;
        this.audit = audit;
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(AuditCalls.LIST, Need.READ_AUDIT, (_, in) -> list(in)),
                Operation.of(AuditCalls.VERIFY, Need.READ_AUDIT, (_, in) -> verify(in)),
                Operation.sending(
                        AuditCalls.EXPORT,
                        Need.READ_AUDIT,
                        (_, _) -> Outcome.done(new Reply.Stream(this::export))));
    }

    private Outcome<AuditCalls.Page> list(AuditCalls.Find in) {
        var session = Given.sessionId(in.sessionId());
        return scope.transactions()
                .read(() -> {
                    var page = audit.list(session, Given.cursor(in.page()));
                    var records = page.items().stream().map(AuditViews::shown).toList();
                    return Outcome.done(new AuditCalls.Page(records, page.next()));
                });
    }

    private Outcome<AuditCalls.Verified> verify(AuditCalls.Verify in) {
        var check = new AuditChain.Check(in.head());
        long last = 0;
        while (true) {
            var page = pageAfter(last);
            page.forEach(check::read);
            if (page.isEmpty()) return Outcome.done(AuditViews.shown(check));
            last = page.getLast().number();
        }
    }

    private List<AuditRecord> pageAfter(long number) {
        return scope.transactions().read(() -> audit.after(number, null, Bounds.PAGE_ITEMS_MAX));
    }

    private void export(OutputStream out) throws IOException {
        long last = 0;
        while (true) {
            var page = pageAfter(last);
            if (page.isEmpty()) return;
            var text = new StringBuilder();
            page.forEach(r -> text.append(Json.write(AuditViews.shown(r))).append('\n'));
            out.write(text.toString().getBytes(StandardCharsets.UTF_8));
            out.flush();
            last = page.getLast().number();
        }
    }
}
