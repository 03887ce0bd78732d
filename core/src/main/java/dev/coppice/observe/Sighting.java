package dev.coppice.observe;

import dev.coppice.observe.Observation.Moment;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;

import java.time.Instant;

/**
 * The effect of an event on an observed session. Events come late, twice or in any order, so the
 * event that was sent last decides, not the one that came last.
 */
record Sighting(Moment moment, Instant at) {
    static final String FINISHED = "ended by itself, as its events say";
    static final String FAILED = "failed, as its events say";

    static Sighting of(Observation event) {
        return new Sighting(event.hints().moment(), event.sentAt());
    }

    /** False if the state certainly stays the same, so that the whole session need not be read. */
    boolean mayChange(Observations.Seen seen) {
        if (!seen.isObserved()) return false;
        if (seen.started() == null || at.isBefore(seen.started())) return true;
        return switch (moment) {
            case NONE -> false;
            case WORKS -> !seen.state().equals("running");
            case WAITS -> !seen.state().equals("idle");
            case ENDS, FAILS -> true;
        };
    }

    /** Returns the session after the event; the same one if the event changes nothing. */
    Session on(Session session) {
        var next = supersedes(session.state()) ? session.observedIn(first()) : session;
        return next.startedBy(at);
    }

    private boolean supersedes(SessionState now) {
        if (moment == Moment.NONE) return false;
        if (now instanceof SessionState.Pending) return true;
        // A runner reports the end of a program that is being stopped.
        if (now instanceof SessionState.Stopping) return false;
        var next = first();
        if (now instanceof SessionState.Stopped && next instanceof SessionState.Ended) return false;
        if (now instanceof SessionState.Running && next instanceof SessionState.Running)
            return false;
        int order = at.compareTo(now.since());
        return order > 0 || (order == 0 && rank(next) > rank(now));
    }

    /** Decides between events of the same time. */
    private static int rank(SessionState state) {
        return switch (state) {
            case SessionState.Pending _ -> 0;
            case SessionState.Running _ -> 1;
            case SessionState.Idle _ -> 2;
            case SessionState.Stopping _ -> 3;
            case SessionState.Finished _ -> 4;
            case SessionState.Failed _,
                    SessionState.Stopped _,
                    SessionState.TimedOut _,
                    SessionState.Lost _ ->
                    5;
        };
    }

    /** The state of a session of which this event is the first. */
    SessionState first() {
        return switch (moment) {
            case NONE, WORKS -> new SessionState.Running(at);
            case WAITS -> new SessionState.Idle(at);
            case ENDS -> new SessionState.Finished(at, FINISHED);
            case FAILS -> new SessionState.Failed(at, FAILED);
        };
    }
}
