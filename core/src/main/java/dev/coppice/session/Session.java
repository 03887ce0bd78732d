package dev.coppice.session;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.word.SessionType;

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

    /** Returns the session after an event, or why its state forbids the event. */
    public Outcome<Session> on(SessionEvent event) {
        return switch (SessionLifecycle.next(state, event)) {
            case SessionLifecycle.Step.Moved(var next) -> Outcome.done(in(next));
            case SessionLifecycle.Step.Refused _ ->
                    Outcome.refused(
                            new SessionRefusal.StateForbids(
                                    "Session '%s'".formatted(id),
                                    StateWord.of(state),
                                    event.getClass().getSimpleName()));
        };
    }

    public Session with(Profile changed) {
        return new Session(id, name, type, place, changed, state, times, limits, standing);
    }

    private Session with(Standing decided) {
        return new Session(id, name, type, place, profile, state, times, limits, decided);
    }

    /** Returns a copy that no callback wakes until a caller resumes it; null clears this. */
    public Session quiet(@Nullable Instant since) {
        return with(standing.quietSince(since));
    }

    /** Returns a copy that is fenced: nothing may start at or below it; null clears this. */
    public Session fenced(@Nullable Instant since) {
        return with(standing.fencedSince(since));
    }

    /** Returns a copy that is frozen; null clears this. */
    public Session frozen(@Nullable Instant since) {
        return with(standing.frozenSince(since));
    }

    /** Returns a copy that is listed as abandoned: its parent has ended and it goes on. */
    public Session abandoned(Instant since) {
        return with(standing.abandonedSince(since));
    }

    /** Returns a copy that is part of this removal; null clears this. */
    public Session removedBy(@Nullable String removal) {
        return with(standing.removedBy(removal));
    }

    /** Returns a copy that lost this parent to a removal; null clears this. */
    public Session detachedFrom(@Nullable SessionId parent) {
        return with(standing.detachedFrom(parent));
    }

    /** Returns a copy at another place, because it was detached, or reattached by an undo. */
    public Session at(Place other) {
        return new Session(id, name, type, other, profile, state, times, limits, standing);
    }

    public Session with(Limits changed) {
        return new Session(id, name, type, place, profile, state, times, changed, standing);
    }

    public Session named(String other) {
        return new Session(id, other, type, place, profile, state, times, limits, standing);
    }

    /** Returns a copy in the state that the events of an observed agent show. */
    public Session observedIn(SessionState seen) {
        return in(seen);
    }

    /** Returns a copy that started no later than this. */
    public Session startedBy(Instant at) {
        var earlier = times.startedBy(at);
        return earlier.equals(times)
                ? this
                : new Session(id, name, type, place, profile, state, earlier, limits, standing);
    }

    /** Returns the refusal of work that would exceed a limit of this session. */
    public RequestRefusal.LimitReached reached(Limits.Kind kind, long wanted) {
        return new RequestRefusal.LimitReached(
                kind.word(),
                limits.orEndless(kind),
                wanted,
                "session '%s' ('%s')".formatted(name, id));
    }

    private Session in(SessionState next) {
        return new Session(
                id, name, type, place, profile, next, times.after(next), limits, standing);
    }
}
