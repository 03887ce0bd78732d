package dev.coppice.view;

import dev.coppice.audit.AuditChain;
import dev.coppice.audit.AuditRecord;
import dev.coppice.wire.removal.AuditCalls;

/** Audit records as callers see them, with every hashed field, so that they can be verified. */
public final class AuditViews {
    private AuditViews() {}

    public static AuditCalls.RecordView shown(AuditRecord record) {
        var act = record.act();
        var what = act.what();
        return new AuditCalls.RecordView(
                record.number(),
                act.at().toString(),
                act.who().name(),
                act.who().right(),
                what.act(),
                what.session(),
                what.sessionName(),
                what.removal(),
                what.detail(),
                act.decision().allowed() ? "allowed" : "refused",
                act.decision().reason(),
                act.before(),
                act.after(),
                record.previous(),
                record.hash());
    }

    public static AuditCalls.Verified shown(AuditChain.Check check) {
        var flaws = check.flaws();
        return new AuditCalls.Verified(
                flaws.isEmpty(),
                check.records(),
                check.head(),
                flaws.stream().map(f -> new AuditCalls.Flaw(f.number(), f.what())).toList());
    }
}
