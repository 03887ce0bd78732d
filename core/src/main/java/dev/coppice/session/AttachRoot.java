package dev.coppice.session;

import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.SessionRefusal;

import java.time.InstantSource;
import java.util.Optional;

/**
 * Places a root and its descendants below another session: a detached tree or an imported orphan
 * gets a parent. The ancestors count what the tree spends from now on, not what it spent before.
 * Joins the current transaction.
 */
public final class AttachRoot {
    private final Sessions sessions;
    private final Journal journal;
    private final TreeQuota room;
    private final InstantSource clock;

    public AttachRoot(Sessions sessions, Journal journal, TreeQuota room, InstantSource clock) {
        this.sessions = sessions;
        this.journal = journal;
        this.room = room;
        this.clock = clock;
    }

    public Outcome<Session> attach(Session root, Session parent) {
        var forbidden = forbidden(root, parent);
        if (forbidden.isPresent()) return Outcome.refused(forbidden.get());
        var self = sessions.ancestry(root.id()).getFirst();
        var growth = growth(self, parent);
        var refusal = growth.forbidden();
        if (refusal.isPresent()) return Outcome.refused(refusal.get());
        var limits = root.limits().narrowedTo(growth.left());
        sessions.attach(root.id(), parent.id(), limits);
        var fact = new Fact.SessionAttached(null, parent.id().value());
        journal.append(root.id(), null, fact, clock.instant());
        return Outcome.done(sessions.find(root.id()).orElseThrow());
    }

    private Optional<? extends Refusal> forbidden(Session root, Session parent) {
        var above = root.place().parentId();
        if (above != null) {
            return Optional.of(new SessionRefusal.ParentIsFixed(root.id(), above, parent.id()));
        }
        if (root.id().equals(parent.id())) {
            return Optional.of(new SessionRefusal.ParentIsItself(root.id()));
        }
        if (sessions.isWithin(parent.id(), root.id())) {
            return Optional.of(new SessionRefusal.ParentMakesCycle(root.id(), parent.id()));
        }
        var fenced = Fences.at(sessions, root.id()).or(() -> Fences.at(sessions, parent.id()));
        if (fenced.isPresent() || !hasLife(root)) return fenced;
        return StartSession.forbidsChildren(parent);
    }

    private boolean hasLife(Session root) {
        return root.state().isAlive() || sessions.ancestry(root.id()).getFirst().livingBelow() > 0;
    }

    private Growth growth(Ancestor self, Session parent) {
        int ownLife = self.session().state().isAlive() ? 1 : 0;
        int levels = sessions.levelsBelow(self.session().id());
        var addition = new Growth.Addition(levels, ownLife, self.livingBelow() + ownLife);
        return new Growth(sessions.ancestry(parent.id()), room.defaults(), addition);
    }
}
