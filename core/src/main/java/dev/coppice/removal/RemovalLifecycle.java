package dev.coppice.removal;

import dev.coppice.removal.RemovalEvent.*;
import dev.coppice.removal.RemovalState.*;

/**
 * The one place where a removal changes state. Pure: no clock, no store, no log. Each event names
 * the states in which it is allowed, and is refused in all others.
 */
final class RemovalLifecycle {
    private RemovalLifecycle() {}

    public static Step next(RemovalState state, RemovalEvent event) {
        return switch (event) {
            case Fenced(var at) ->
                    state instanceof Fencing ? to(new Quiescing(at, null)) : refused(state, event);
            case WaitsFor(_, var what) -> waiting(state, what, event);
            case Quiesced(var at) ->
                    state instanceof Quiescing
                            ? to(new Preserving(at, null))
                            : refused(state, event);
            case WorkPreserved(var at) ->
                    state instanceof Preserving
                            ? to(new BackingUp(at, null))
                            : refused(state, event);
            case DetachBegan(var at) ->
                    state instanceof BackingUp ? to(new Detaching(at)) : refused(state, event);
            case HidingBegan(var at) ->
                    state instanceof BackingUp || state instanceof Detaching
                            ? to(new Hiding(at))
                            : refused(state, event);
            case Announced(var at, var until) ->
                    state instanceof Hiding ? to(new Hidden(at, until)) : refused(state, event);
            case PurgeBegan(var at) ->
                    state instanceof Hiding || state instanceof Hidden
                            ? to(new Purging(at, null))
                            : refused(state, event);
            case RowsDeleted(var at) ->
                    state instanceof Purging ? to(new Purged(at)) : refused(state, event);
            case UndoAsked(var at) ->
                    state instanceof Hidden(_, var until) && at.isBefore(until)
                            ? to(new Undoing(at))
                            : refused(state, event);
            case RowsRestored(var at) ->
                    state instanceof Restoring ? to(new Undoing(at)) : refused(state, event);
            case RestoreFailed(var at) ->
                    state instanceof Restoring ? to(new Purging(at, null)) : refused(state, event);
            // No cancel once detaching began: a cancelled removal does not attach children again.
            case CancelBegan(var at, var reason) ->
                    switch (state) {
                        case Fencing _, Quiescing _, Preserving _, BackingUp _ ->
                                to(new TakingBack(at, reason));
                        case Detaching _, Hiding _, Hidden _, Undoing _ -> refused(state, event);
                        case Restoring _, TakingBack _, Purging _, Over _ -> refused(state, event);
                    };
            case Reverted(var at) ->
                    switch (state) {
                        case Undoing _ -> to(new Undone(at));
                        case TakingBack(_, var reason) -> to(new TakenBack(at, reason));
                        case Fencing _, Quiescing _, Preserving _, BackingUp _ ->
                                refused(state, event);
                        case Detaching _, Hiding _, Hidden _ -> refused(state, event);
                        case Restoring _, Purging _, Over _ -> refused(state, event);
                    };
        };
    }

    private static Step waiting(RemovalState state, String what, RemovalEvent event) {
        return switch (state) {
            case Fencing(var since, _) -> to(new Fencing(since, what));
            case Quiescing(var since, _) -> to(new Quiescing(since, what));
            case Preserving(var since, _) -> to(new Preserving(since, what));
            case BackingUp(var since, _) -> to(new BackingUp(since, what));
            case Purging(var since, _) -> to(new Purging(since, what));
            case Detaching _, Hiding _, Hidden _, Restoring _ -> refused(state, event);
            case Undoing _, TakingBack _, Over _ -> refused(state, event);
        };
    }

    /** The outcome of an event: a new state, or a refusal. */
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
