package dev.coppice.session;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** One agent's conversation for its whole life; a node of a tree. */
public record Session(
        SessionId id,
        String name,
        SessionType type,
        Place place,
        Profile profile,
        SessionState state,
        Times times,
        Limits limits,
        Standing standing) {

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
        return new Session(id, name, type, place, changed, state, times, limits, standing);
    }

    private Session with(Standing decided) {
        return new Session(id, name, type, place, profile, state, times, limits, decided);
    }

    /** Nothing wakes it, until someone resumes it. */
    public Session quiet(@Nullable Instant since) {
        return with(standing.quietSince(since));
    }

    /** Nothing may be born or begin in its tree. */
    public Session fenced(@Nullable Instant since) {
        return with(standing.fencedSince(since));
    }

    /** Suspended since then, or not. */
    public Session frozen(@Nullable Instant since) {
        return with(standing.frozenSince(since));
    }

    /** Its parent has ended, and it goes on as was wished. */
    public Session abandoned(Instant since) {
        return with(standing.abandonedSince(since));
    }

    /** Enlisted by a removal, or let go. */
    public Session removedBy(@Nullable String removal) {
        return with(standing.removedBy(removal));
    }

    /** A root because of a removal; or a child again. */
    public Session detachedFrom(@Nullable SessionId parent) {
        return with(standing.detachedFrom(parent));
    }

    /** Without its parent, the root of a tree of its own; with one again when that is undone. */
    public Session at(Place other) {
        return new Session(id, name, type, other, profile, state, times, limits, standing);
    }

    public Session with(Limits changed) {
        return new Session(id, name, type, place, profile, state, times, changed, standing);
    }

    public Session named(String other) {
        return new Session(id, other, type, place, profile, state, times, limits, standing);
    }

    /** The refusal of what would pass a limit that is set here. */
    public RequestRefusal.LimitReached reached(Limits.Kind kind, long wanted) {
        return new RequestRefusal.LimitReached(
                kind.word(), limits.orEndless(kind), wanted, "session %s (%s)".formatted(name, id));
    }

    private Session in(SessionState next) {
        return new Session(
                id, name, type, place, profile, next, times.after(next), limits, standing);
    }
}
