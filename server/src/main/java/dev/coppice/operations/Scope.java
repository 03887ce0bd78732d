package dev.coppice.operations;

import dev.coppice.access.Access;
import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.request.Context;
import dev.coppice.request.Operation.Commit;
import dev.coppice.session.ParentReference;
import dev.coppice.session.Session;
import dev.coppice.session.Sessions;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.function.Function;

/** Transactions about one session, for callers that may see it or act on it. */
public record Scope(Transactions transactions, Sessions sessions, Access access) {
    /** Reads from a visible session, in one transaction. */
    public <T> Outcome<T> reading(Context x, String id, Function<Session, Outcome<T>> then) {
        return transactions.read(() -> session(x, Need.READ, id).then(then));
    }

    /** Shows a visible session, in one transaction. */
    public <T> Outcome<T> showing(Context x, String id, Function<Session, T> view) {
        return transactions.read(() -> session(x, Need.READ, id).map(view));
    }

    /** Prepares a change of one session, which is looked up in the transaction of the change. */
    public <T> Outcome<Commit<T>> change(
            Context x, Need need, String id, Function<Session, Outcome<T>> then) {
        return Outcome.done(() -> session(x, need, id).then(then));
    }

    /** Returns the session if the caller may do this with it. Joins the current transaction. */
    public Outcome<Session> session(Context x, Need need, String id) {
        return SessionId.isValid(id)
                ? access.session(x.caller(), need, new SessionId(id))
                : Outcome.refused(new SessionRefusal.SessionUnknown(id));
    }

    /** The session with this name, if the caller can see it. Joins the current transaction. */
    public Optional<Session> named(Context x, String name) {
        return sessions.named(name).filter(s -> access.sees(x.caller(), s.id()));
    }

    /** The session with this id, if the caller can see it. Joins the current transaction. */
    public Optional<Session> seen(Context x, SessionId id) {
        return sessions.find(id).filter(s -> access.sees(x.caller(), s.id()));
    }

    /** Returns the session from its own transaction, before work that is too slow for one. */
    public Outcome<Session> lookedUp(Context x, Need need, String id) {
        return transactions.read(() -> session(x, need, id));
    }

    /** Returns the session that a filter names; rejects one that the caller cannot see. */
    public @Nullable SessionId visible(Context x, String field, @Nullable String id) {
        if (id == null) return null;
        var known = Given.sessionId(field, id);
        return switch (access.session(x.caller(), Need.READ, known)) {
            case Outcome.Done<Session>(var session) -> session.id();
            case Outcome.Refused<Session>(var refusal) -> throw new Rejected(refusal);
        };
    }

    /** Refuses parents outside an agent's own subtree as unknown. */
    public Optional<SessionRefusal> parentForbidden(Context x, ParentReference claim) {
        if (x.session() == null) return Optional.empty();
        boolean visible =
                claim.in(sessions).filter(p -> access.sees(x.caller(), p.id())).isPresent();
        return visible
                ? Optional.empty()
                : Optional.of(new SessionRefusal.ParentUnknown(claim.asSaid()));
    }
}
