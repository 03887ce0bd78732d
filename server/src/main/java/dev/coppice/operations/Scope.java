package dev.coppice.operations;

import dev.coppice.access.Access;
import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.operation.Context;
import dev.coppice.operation.Rejected;
import dev.coppice.session.ParentClaim;
import dev.coppice.session.Session;
import dev.coppice.session.Sessions;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.function.Function;

/** Transactions about one session, for callers who may see it or act on it. */
public record Scope(Transactions transactions, Sessions sessions, Access access) {
    /** Reads in one transaction. */
    public <T> Outcome<T> reading(Context x, String id, Function<Session, Outcome<T>> then) {
        return transactions.read(() -> session(x, Need.READ, id).then(then));
    }

    /** Reads what cannot be refused. */
    public <T> Outcome<T> showing(Context x, String id, Function<Session, T> view) {
        return transactions.read(() -> session(x, Need.READ, id).map(view));
    }

    /** Changes in one transaction. */
    public <T> Outcome<T> writing(
            Context x, Need need, String id, Function<Session, Outcome<T>> then) {
        return transactions.write(() -> session(x, need, id).then(then));
    }

    /** The session, if the caller may do this with it; joins the current transaction. */
    public Outcome<Session> session(Context x, Need need, String id) {
        return SessionId.isShapely(id)
                ? access.session(x.caller(), need, new SessionId(id))
                : Outcome.refused(new SessionRefusal.SessionUnknown(id));
    }

    /** The session in a transaction of its own, for work that is too slow for one. */
    public Outcome<Session> lookedUp(Context x, Need need, String id) {
        return transactions.read(() -> session(x, need, id));
    }

    /** A session that a filter names, which the caller must be able to see. */
    public @Nullable SessionId visible(Context x, String field, @Nullable String id) {
        if (id == null) return null;
        var known = Given.sessionId(field, id);
        return switch (access.session(x.caller(), Need.READ, known)) {
            case Outcome.Done<Session>(var session) -> session.id();
            case Outcome.Refused<Session>(var refusal) -> throw new Rejected(refusal);
        };
    }

    /** An agent starts sessions at or below itself; any other parent does not exist for it. */
    public Optional<SessionRefusal> parentForbidden(Context x, ParentClaim claim) {
        if (x.session() == null) return Optional.empty();
        boolean visible =
                claim.in(sessions).filter(p -> access.sees(x.caller(), p.id())).isPresent();
        return visible
                ? Optional.empty()
                : Optional.of(new SessionRefusal.ParentUnknown(claim.asSaid()));
    }
}
