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

import java.util.Locale;
import java.util.Optional;

/**
 * Who may do what, in one place. To know of a session one may not see is "unknown"; to see it but
 * not to act on it is "not allowed".
 */
public final class Access {
    private final Sessions sessions;
    private final Removals removals;

    public Access(Sessions sessions, Removals removals) {
        this.sessions = sessions;
        this.removals = removals;
    }

    /** Whether a role may use an endpoint at all, whichever session it then names. */
    public static boolean may(Role role, Need need) {
        return switch (need) {
            case NOTHING, READ -> true;
            case SPAWN -> role == Role.ADMIN || role == Role.OPERATOR || role == Role.AGENT;
            case ACT -> role == Role.ADMIN || role == Role.OPERATOR || role == Role.AGENT;
            case REPORT -> role != Role.VIEWER;
            case DEFINE -> role == Role.ADMIN || role == Role.OPERATOR;
            case READ_FLEET -> role != Role.AGENT;
            case READ_AUDIT -> role == Role.ADMIN || role == Role.OPERATOR || role == Role.VIEWER;
            case MANAGE_FLEET -> role == Role.ADMIN || role == Role.OPERATOR || role == Role.RUNNER;
            case RUN -> role == Role.ADMIN || role == Role.RUNNER;
        };
    }

    /** The session, if this caller may do this with it. Acts within the transaction under way. */
    public Outcome<Session> session(Caller caller, Need need, SessionId id) {
        var found = sessions.find(id);
        if (found.isEmpty()) return Outcome.refused(gone(caller, id));
        if (!sees(caller, id)) {
            return Outcome.refused(new SessionRefusal.SessionUnknown(id.value()));
        }
        return reaches(caller, need, id)
                ? Outcome.done(found.get())
                : Outcome.refused(
                        new RequestRefusal.NotAllowed(
                                "%s on session %s"
                                        .formatted(need.name().toLowerCase(Locale.ROOT), id)));
    }

    /** Who could have seen it when it was there is told what became of it. */
    private Refusal gone(Caller caller, SessionId id) {
        return removals.of(id)
                .filter(r -> sees(caller, id) || seesParent(caller, r))
                .<Refusal>map(r -> new RemovalRefusal.SessionRemoved(id.value(), r.id().value()))
                .orElseGet(() -> new SessionRefusal.SessionUnknown(id.value()));
    }

    /** The same, for someone who asks by a name that nobody in sight has. */
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
     * An agent does only what can be undone, and leaves no session outside of its own tree, where
     * no limit from above would hold.
     */
    public static Optional<Refusal> forbidsRemoval(Caller caller, Choices choices) {
        if (caller.session() == null) return Optional.empty();
        if (choices.purge() == Choices.Purge.NOW) {
            return Optional.of(new RequestRefusal.NotAllowed("purge without a time for an undo"));
        }
        if (choices.children() == Choices.Children.DETACH) {
            return Optional.of(new RequestRefusal.NotAllowed("detach sessions from its tree"));
        }
        return Optional.empty();
    }

    public boolean sees(Caller caller, SessionId id) {
        return caller.session() == null || sessions.isWithin(id, caller.session());
    }

    private static boolean reaches(Caller caller, Need need, SessionId id) {
        if (caller.session() == null) return may(caller.role(), need);
        boolean itself = caller.session().equals(id);
        return switch (need) {
            case NOTHING, READ, SPAWN -> true;
            case ACT -> !itself;
            case REPORT -> itself;
            case DEFINE, READ_AUDIT, READ_FLEET, MANAGE_FLEET, RUN -> false;
        };
    }
}
