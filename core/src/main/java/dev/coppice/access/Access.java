package dev.coppice.access;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.removal.Choices;
import dev.coppice.removal.Removal;
import dev.coppice.removal.Removals;
import dev.coppice.session.Session;
import dev.coppice.session.Sessions;
import dev.coppice.word.Choice;

import java.util.Locale;
import java.util.Optional;

/**
 * Decides what a caller may do. A session that the caller may not see is refused as "unknown"; a
 * session that it may see but not act on, as "not allowed".
 */
public final class Access {
    private final Sessions sessions;
    private final Removals removals;

    public Access(Sessions sessions, Removals removals) {
        this.sessions = sessions;
        this.removals = removals;
    }

    /** True if a role may use an endpoint at all, whichever session the request names. */
    public static boolean may(Role role, Need need) {
        return switch (need) {
            case NOTHING -> true;
            case READ -> role != Role.INGEST;
            // Unfenced runners start sessions for their agents, with their own token.
            case SPAWN -> role != Role.VIEWER && role != Role.INGEST;
            case ACT -> role == Role.ADMIN || role == Role.OPERATOR || role == Role.AGENT;
            case REPORT, TELL -> role != Role.VIEWER;
            case BIND -> role != Role.VIEWER && role != Role.INGEST;
            case DECIDE, DEFINE -> role == Role.ADMIN || role == Role.OPERATOR;
            case READ_FLEET -> role != Role.AGENT && role != Role.INGEST;
            case READ_AUDIT, SIGN_IN ->
                    role == Role.ADMIN || role == Role.OPERATOR || role == Role.VIEWER;
            case MANAGE_FLEET -> role == Role.ADMIN || role == Role.OPERATOR || role == Role.RUNNER;
            case RUN -> role == Role.ADMIN || role == Role.RUNNER;
        };
    }

    /**
     * True if a caller may use an endpoint. A caller that is confined to a subtree may not use what
     * all trees share, and the hooks of a program may only report.
     */
    public static boolean may(Caller caller, Need need) {
        return may(caller.role(), need)
                && (caller.sender() == null || need == Need.TELL || need == Need.NOTHING)
                && (caller.session() == null || caller.isAgent() || isAboutSessions(need));
    }

    private static boolean isAboutSessions(Need need) {
        return switch (need) {
            case NOTHING, READ, SPAWN, ACT, DECIDE, REPORT, TELL, BIND, SIGN_IN -> true;
            case DEFINE, READ_AUDIT, READ_FLEET, MANAGE_FLEET, RUN -> false;
        };
    }

    /** Returns the session if this caller may do this with it. Joins the current transaction. */
    public Outcome<Session> session(Caller caller, Need need, SessionId id) {
        var found = sessions.find(id);
        if (found.isEmpty()) return Outcome.refused(gone(caller, id));
        if (!sees(caller, id)) {
            return Outcome.refused(new SessionRefusal.SessionUnknown(id.value()));
        }
        return reaches(caller, need, found.get())
                ? Outcome.done(found.get())
                : Outcome.refused(
                        new RequestRefusal.NotAllowed(
                                "%s on session '%s'"
                                        .formatted(need.name().toLowerCase(Locale.ROOT), id)));
    }

    /** Names the removal of a missing session if the caller could see the session before. */
    private Refusal gone(Caller caller, SessionId id) {
        return removals.of(id)
                .filter(r -> sees(caller, id) || seesParent(caller, r))
                .<Refusal>map(r -> new RemovalRefusal.SessionRemoved(id.value(), r.id().value()))
                .orElseGet(() -> new SessionRefusal.SessionUnknown(id.value()));
    }

    /** Returns the refusal for a name that no visible session has; names a removal likewise. */
    public Refusal noneNamed(Caller caller, String name) {
        return removals.ofNamed(name)
                .filter(r -> sees(caller, r.top().id()) || seesParent(caller, r))
                .<Refusal>map(r -> new RemovalRefusal.SessionRemoved(name, r.id().value()))
                .orElseGet(() -> new SessionRefusal.SessionUnknown(name));
    }

    private boolean seesParent(Caller caller, Removal removal) {
        var parent = removal.top().parent();
        return parent != null && sees(caller, parent);
    }

    /**
     * Refuses two choices to callers that are confined to a subtree: a purge without an undo
     * window, and detaching sessions, which would escape the limits of their ancestors.
     */
    public static Optional<Refusal> forbidsRemoval(Caller caller, Choices choices) {
        if (caller.session() == null) return Optional.empty();
        if (choices.purge() == Choice.Purge.NOW) {
            return Optional.of(new RequestRefusal.NotAllowed("purge without an undo window"));
        }
        if (choices.children() == Choice.Children.DETACH) {
            return Optional.of(new RequestRefusal.NotAllowed("detach sessions from its own tree"));
        }
        return Optional.empty();
    }

    public boolean sees(Caller caller, SessionId id) {
        return caller.session() == null || sessions.isWithin(id, caller.session());
    }

    private static boolean reaches(Caller caller, Need need, Session session) {
        if (!caller.isAgent()) return may(caller, need);
        boolean own = session.id().equals(caller.session());
        return switch (need) {
            case NOTHING, READ, SPAWN -> true;
            case ACT -> !own;
            // The driver of a program reports for the agents inside of it, which have no token.
            case REPORT, TELL, BIND -> own || session.profile().isInside();
            case DECIDE, DEFINE, READ_AUDIT, READ_FLEET, MANAGE_FLEET, RUN, SIGN_IN -> false;
        };
    }
}
