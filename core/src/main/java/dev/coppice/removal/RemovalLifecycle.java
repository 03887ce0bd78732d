package dev.coppice.removal;

import dev.coppice.removal.RemovalEvent.*;
import dev.coppice.removal.RemovalState.*;

/**
 * The one place where a removal changes state. Pure: no clock, no store, no log. Each event names
 * the states it leads out of; everywhere else it is refused.
 */
public final class RemovalLifecycle {
    private RemovalLifecycle() {}

    public static Step next(RemovalState state, RemovalEvent event) {
        return switch (event) {
            case Fenced(var at) ->
                    state instanceof Fencing ? to(new Quiescing(at, null)) : refused(state, event);
            case WaitsFor(_, var what) ->
                    state instanceof Quiescing(var since, _)
                            ? to(new Quiescing(since, what))
                            : refused(state, event);
            case DetachBegan(var at) ->
                    state instanceof Quiescing ? to(new Detaching(at)) : refused(state, event);
            case WentOutOfSight(var at) ->
                    state instanceof Quiescing || state instanceof Detaching
                            ? to(new Hiding(at))
                            : refused(state, event);
            case AllTold(var at, var until) ->
                    state instanceof Hiding ? to(new Hidden(at, until)) : refused(state, event);
            case PurgeBegan(var at) ->
                    state instanceof Hiding || state instanceof Hidden
                            ? to(new Purging(at))
                            : refused(state, event);
            case AllGone(var at) ->
                    state instanceof Purging ? to(new Purged(at)) : refused(state, event);
            case UndoAsked(var at) ->
                    state instanceof Hidden(_, var until) && at.isBefore(until)
                            ? to(new Undoing(at))
                            : refused(state, event);
            // What has been detached already stays with those it was detached from.
            case CalledOff(var at, var reason) ->
                    state instanceof Fencing || state instanceof Quiescing
                            ? to(new TakingBack(at, reason))
                            : refused(state, event);
            case AllBack(var at) ->
                    switch (state) {
                        case Undoing _ -> to(new Undone(at));
                        case TakingBack(_, var reason) -> to(new TakenBack(at, reason));
                        case Fencing _, Quiescing _, Detaching _, Hiding _ -> refused(state, event);
                        case Hidden _, Purging _, Over _ -> refused(state, event);
                    };
        };
    }

    /** What an event did: it moved the removal, or it was refused. */
    public sealed interface Step {
        record Moved(RemovalState state) implements Step {}

        record Refused(RemovalState state, RemovalEvent event) implements Step {}
    }

    private static Step to(RemovalState state) {
        return new Step.Moved(state);
    }

    private static Step refused(RemovalState state, RemovalEvent event) {
        return new Step.Refused(state, event);
    }
}
