package dev.coppice.removal;

import dev.coppice.audit.Act;
import dev.coppice.budget.Spending;
import dev.coppice.callback.SettleRemoved;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Counted;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.RemovalRefusal.CannotBeUndone;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.Ports;
import dev.coppice.session.Fences;
import dev.coppice.session.Session;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes a hidden tree visible again, in one transaction. */
public record UndoRemoval(
        Ports ports,
        Removals removals,
        RemovalAudit audit,
        RemovalMoves moves,
        SettleRemoved callbacks,
        Spending spending) {
    /** The treatment of names that other sessions have taken meanwhile. */
    public enum Names {
        REFUSE,
        RENAME
    }

    /** The removal, and those of its detached children that were not attached again. */
    public record Undo(Removal removal, List<SessionId> notReattached) {
        public Undo {
            notReattached = List.copyOf(notReattached);
        }
    }

    public Outcome<Undo> undo(RemovalId id, Names names, Act.Who by) {
        return ports.transactions()
                .write(() -> {
                    var found = removals.find(id);
                    if (found.isEmpty())
                        return Outcome.refused(new RemovalRefusal.RemovalUnknown(id.value()));
                    var removal = found.get();
                    // A repeated request returns the undo that is under way or done.
                    if (isBack(removal)) {
                        audit.undoRepeated(removal, by);
                        return Outcome.done(new Undo(removal, List.of()));
                    }
                    var forbidden = forbidden(removal, names);
                    var asked = new RemovalEvent.UndoAsked(ports.clock().instant());
                    return forbidden.isPresent()
                            ? moves.refused(removal, asked, by, forbidden.get())
                                    .map(_ -> new Undo(removal, List.of()))
                            : Outcome.done(bringBack(removal, by));
                });
    }

    private static boolean isBack(Removal removal) {
        return removal.state() instanceof RemovalState.Undoing
                || removal.state() instanceof RemovalState.Undone;
    }

    private Optional<Refusal> forbidden(Removal removal, Names names) {
        var asked = new RemovalEvent.UndoAsked(ports.clock().instant());
        if (removal.on(asked).isEmpty()) return Optional.of(tooLate(removal));
        var parent = removal.top().parent();
        if (parent != null) {
            // A removal further up counts too: sessions restored below it would not belong to it.
            boolean fenced =
                    Fences.at(ports.sessions(), parent)
                            .filter(f -> f instanceof RemovalRefusal.TreeIsBeingRemoved)
                            .isPresent();
            if (fenced || ports.sessions().find(parent).isEmpty()) {
                return Optional.of(parentGone(removal, parent));
            }
        }
        var taken = names == Names.RENAME ? List.<String>of() : removals.takenNames(removal.id());
        return taken.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new CannotBeUndone(
                                removal.id().value(),
                                CannotBeUndone.UndoCause.NAMES_TAKEN,
                                "names already in use: " + Counted.Few.quoted(taken)));
    }

    private static Refusal tooLate(Removal removal) {
        var cause =
                switch (removal.state()) {
                    case RemovalState.Hiding _ -> CannotBeUndone.UndoCause.BEING_HIDDEN;
                    case RemovalState.Detaching _ -> CannotBeUndone.UndoCause.DETACHING;
                    case RemovalState.TakingBack _, RemovalState.TakenBack _ ->
                            CannotBeUndone.UndoCause.CALLED_OFF;
                    case RemovalState.Purging _, RemovalState.Purged _ ->
                            CannotBeUndone.UndoCause.WINDOW_CLOSED;
                    default -> CannotBeUndone.UndoCause.UNDER_WAY;
                };
        var why = "it is '%s'".formatted(removal.state().word());
        return new CannotBeUndone(removal.id().value(), cause, why);
    }

    private Refusal parentGone(Removal removal, SessionId parent) {
        var by =
                removals.of(parent)
                        .map(r -> "by '%s'".formatted(r.id()))
                        .orElse("with one of its ancestors");
        return new CannotBeUndone(
                removal.id().value(),
                CannotBeUndone.UndoCause.PARENT_REMOVED,
                "its parent '%s' is itself removed %s".formatted(parent, by));
    }

    private Undo bringBack(Removal removal, Act.Who by) {
        var asked = new RemovalEvent.UndoAsked(ports.clock().instant());
        removals.giveNamesBack(removal.id());
        removals.markAllUnannounced(removal.id());
        var outcome = moves.asked(removal, asked, by, tooLate(removal));
        if (!(outcome instanceof Outcome.Done<Removal>(var moved))) {
            throw new IllegalStateException(removal.id() + " may be undone but cannot move");
        }
        var left = reattach(moved);
        var parent = removal.top().parent();
        if (parent != null) {
            var id = removal.id().value();
            callbacks.reviveOwedToParent(ports, parent, removal.top().id(), id::equals);
        }
        return new Undo(moved, left);
    }

    /**
     * Attaches detached children again; returns those that cannot be. While the tree was hidden, a
     * session above it may have been placed below such a child.
     */
    private List<SessionId> reattach(Removal removal) {
        var left = new ArrayList<SessionId>();
        for (var detached : removals.detachedBy(removal.id())) {
            var child = detached.id();
            var session = ports.sessions().find(child).filter(s -> s.place().parent() == null);
            boolean free =
                    detached.isStillThere()
                            && session.isPresent()
                            && session.get().standing().removal() == null
                            && !ports.sessions().isWithin(removal.top().id(), child)
                            && hasRoom(removal, child);
            if (free) comeBack(removal, session.orElseThrow(), detached.own());
            else left.add(child);
        }
        return List.copyOf(left);
    }

    private void comeBack(Removal removal, Session child, Removals.@Nullable Own own) {
        var top = removal.top().id();
        ports.sessions().attach(child.id(), top, own == null ? child.limits() : own.limits());
        if (own != null) spending.giveBack(child.id(), own.budget(), own.given());
        callbacks.reviveOwedTo(ports, top, removal.by());
        callbacks.recount(ports, top);
        var fact = new Fact.SessionAttached(removal.id().value(), top.value());
        ports.journal().append(child.id(), null, fact, ports.clock().instant());
        audit.moved(removal, child, RemovalAudit.Detached.BACK);
    }

    /** False if the child's tree grew too deep while it was a root. */
    private boolean hasRoom(Removal removal, SessionId child) {
        var top = ports.sessions().find(removal.top().id()).orElseThrow();
        int depth = top.place().depth() + 1 + ports.sessions().levelsBelow(child);
        return depth <= Bounds.TREE_DEPTH_MAX;
    }
}
