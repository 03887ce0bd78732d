package dev.coppice.observe;

import dev.coppice.kernel.Outcome;
import dev.coppice.observe.Observations.Seen;
import dev.coppice.session.AttachRoot;
import dev.coppice.session.Session;
import dev.coppice.session.SessionJournal;
import dev.coppice.session.Sessions;
import dev.coppice.session.StartSession;

/**
 * Moves observed sessions to the places in the tree that their events show. Every method joins the
 * current transaction, and returns false for a session that stays where it is.
 */
final class PlaceAgents {
    private final Sessions sessions;
    private final StartSession start;
    private final SessionJournal journal;
    private final AttachRoot attaching;

    PlaceAgents(
            Sessions sessions, StartSession start, SessionJournal journal, AttachRoot attaching) {
        this.sessions = sessions;
        this.start = start;
        this.journal = journal;
        this.attaching = attaching;
    }

    /** Moves an agent within the tree of its program. */
    boolean move(Seen child, Seen parent) {
        boolean isPossible =
                child.isObserved()
                        && child.root().equals(parent.root())
                        && !sessions.isWithin(parent.id(), child.id())
                        && start.hasRoomFor(child.id(), parent.id());
        if (!isPossible) return false;
        var limits = sessions.find(child.id()).orElseThrow().limits();
        sessions.detach(child.id(), limits);
        sessions.attach(child.id(), parent.id(), limits);
        journal.moved(sessions.find(child.id()).orElseThrow());
        return true;
    }

    /** Places a root below a parent that no earlier event named. */
    boolean attach(Seen root, Seen parent) {
        if (root.id().equals(parent.id())) return false;
        var session = sessions.find(root.id()).orElseThrow();
        // A removal detached the session: only an undo or a person attaches it again.
        if (session.standing().detachedFrom() != null) return false;
        var above = sessions.find(parent.id()).orElseThrow();
        return attaching.attach(session, above) instanceof Outcome.Done<Session> _;
    }
}
