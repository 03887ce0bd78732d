package dev.coppice.removal.step;

import dev.coppice.budget.Spending;
import dev.coppice.callback.SettleRemoved;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.Cursor;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalAudit;
import dev.coppice.removal.Removals;
import dev.coppice.run.Ports;
import dev.coppice.session.Ancestor;
import dev.coppice.session.Session;

/** Detaches the children of a session that is removed alone, one with its tree at a time. */
record Detach(
        Ports ports,
        Removals removals,
        SettleRemoved callbacks,
        Spending spending,
        RemovalAudit audit,
        Hide hide)
        implements Step {
    @Override
    public Piece advance(Removal removal) {
        var children = ports.sessions().children(removal.top().id(), Cursor.first(1)).items();
        if (children.isEmpty()) return hide.begin(removal);
        detach(removal, children.getFirst());
        return new Piece.More();
    }

    private void detach(Removal removal, Session child) {
        var top = removal.top().id();
        var now = ports.clock().instant();
        callbacks.recordLostParent(ports, child, top, removal.by());
        var before = spending.own(child.id());
        spending.keepInherited(child.id(), now);
        var own = new Removals.Own(child.limits(), before, spending.own(child.id()));
        removals.detached(removal.id(), child.id(), own);
        var limits = Ancestor.limitsOf(ports.sessions().ancestry(child.id()));
        ports.sessions().detach(child.id(), limits);
        var fact = new Fact.SessionDetached(removal.id().value(), top.value());
        ports.journal().append(child.id(), null, fact, now);
        audit.moved(removal, child, RemovalAudit.Detached.AWAY);
    }
}
