package dev.coppice.removal.step;

import dev.coppice.callback.SettleRemoved;
import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.removal.Member;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalEvent;
import dev.coppice.removal.RemovalMoves;
import dev.coppice.removal.Removals;
import dev.coppice.removal.Removals.AnnouncementOrder;
import dev.coppice.removal.RemoveTree;
import dev.coppice.removal.RestoreTree;
import dev.coppice.run.Ports;
import dev.coppice.word.Choice;

import java.time.Duration;
import java.util.ArrayList;
import java.util.function.Function;

/** Hides the tree at one instant, then announces each of its sessions as deleted. */
record Hide(
        Ports ports,
        Removals removals,
        RemovalMoves moves,
        SettleRemoved callbacks,
        Duration undoWindow)
        implements Step {
    private static final int ANNOUNCED_AT_ONCE = 50;

    Piece begin(Removal removal) {
        var top = ports.sessions().find(removal.top().id()).orElseThrow();
        callbacks.giveUpOwedToParent(ports, top, removal.by());
        removals.markAllUnannounced(removal.id());
        return new Piece.Ends(removal, new RemovalEvent.HidingBegan(ports.clock().instant()));
    }

    @Override
    public Piece advance(Removal removal) {
        var announced =
                announce(removal, AnnouncementOrder.CHILDREN_FIRST, m -> deleted(removal, m));
        if (announced instanceof Piece.More) return announced;
        var now = ports.clock().instant();
        return new Piece.Ends(
                removal,
                removal.choices().purge() == Choice.Purge.NOW
                        ? new RemovalEvent.PurgeBegan(now)
                        : new RemovalEvent.Announced(now, moves.undoUntil(removal, undoWindow)));
    }

    /** Announces the sessions as restored, parents first. */
    @Override
    public Piece undo(Removal removal) {
        return announce(removal, AnnouncementOrder.PARENTS_FIRST, m -> restored(removal, m));
    }

    private Piece announce(
            Removal removal, AnnouncementOrder order, Function<Member, Fact> announcement) {
        var some = removals.unannounced(removal.id(), order, ANNOUNCED_AT_ONCE);
        if (some.isEmpty()) return new Piece.Done();
        var facts = new ArrayList<Journal.About>();
        for (var member : some) {
            facts.add(new Journal.About(member.id(), announcement.apply(member)));
            removals.markAnnounced(removal.id(), member.id());
        }
        ports.journal().appendAll(facts, ports.clock().instant());
        if (order == AnnouncementOrder.CHILDREN_FIRST) RemoveTree.logged(removal, some);
        return new Piece.More();
    }

    private Fact deleted(Removal removal, Member member) {
        callbacks.giveUpOwedTo(ports, member.id(), removal.by());
        return new Fact.SessionDeleted(removal.id().value(), member.name(), member.runs());
    }

    private Fact restored(Removal removal, Member member) {
        callbacks.reviveOwedTo(ports, member.id(), removal.by());
        var range = RestoreTree.settleRestored(ports, removal, member);
        return new Fact.SessionRestored(
                removal.id().value(), member.name(), range.first(), range.last());
    }
}
