package dev.coppice.session;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;

/** One agent's conversation for its whole life; a node of a tree. */
public record Session(
        SessionId id,
        String name,
        SessionType type,
        Place place,
        Profile profile,
        SessionState state,
        Times times,
        Limits limits) {

    /** The session after an event, or why the event cannot happen now. */
    public Outcome<Session> on(SessionEvent event) {
        return switch (SessionLifecycle.next(state, event)) {
            case SessionLifecycle.Step.Moved(var next) -> Outcome.done(in(next));
            case SessionLifecycle.Step.Refused _ ->
                    Outcome.refused(
                            new SessionRefusal.StateForbids(
                                    "Session " + id,
                                    state.getClass().getSimpleName(),
                                    event.getClass().getSimpleName()));
        };
    }

    public Session with(Profile changed) {
        return new Session(id, name, type, place, changed, state, times, limits);
    }

    private Session in(SessionState next) {
        return new Session(id, name, type, place, profile, next, times.after(next), limits);
    }
}
