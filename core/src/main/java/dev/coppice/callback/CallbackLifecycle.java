package dev.coppice.callback;

import dev.coppice.callback.CallbackEvent.AskedAgain;
import dev.coppice.callback.CallbackEvent.CarrierBroke;
import dev.coppice.callback.CallbackEvent.CarrierFinished;
import dev.coppice.callback.CallbackEvent.GivenUp;
import dev.coppice.callback.CallbackEvent.HeldBack;
import dev.coppice.callback.CallbackEvent.PutOff;
import dev.coppice.callback.CallbackEvent.Released;
import dev.coppice.callback.CallbackEvent.Sent;
import dev.coppice.callback.CallbackEvent.TakenIntoJoin;
import dev.coppice.callback.CallbackState.Carried;
import dev.coppice.callback.CallbackState.Dead;
import dev.coppice.callback.CallbackState.Delivered;
import dev.coppice.callback.CallbackState.Held;
import dev.coppice.callback.CallbackState.Joined;
import dev.coppice.callback.CallbackState.Owed;

/** The one place where a callback changes state. Pure: no clock, no store, no log. */
final class CallbackLifecycle {
    private CallbackLifecycle() {}

    public static Step next(CallbackState state, CallbackEvent event) {
        return switch (state) {
            case Owed _ -> ofOwed(state, event);
            case Held _ -> ofHeld(state, event);
            case Carried(_, var by) ->
                    switch (event) {
                        case CarrierFinished(var at) -> to(new Delivered(at, by));
                        case CarrierBroke(var at, var due) -> to(new Owed(at, due));
                        case HeldBack(var at, var reason) -> to(new Held(at, reason));
                        case GivenUp(var at, var reason, var removal) ->
                                to(new Dead(at, reason, removal));
                        case Sent _, PutOff _, Released _, TakenIntoJoin _, AskedAgain _ ->
                                refused(state, event);
                    };
            // A dead callback can be retried on request. A delivered one cannot.
            case Dead _ ->
                    event instanceof AskedAgain(var at)
                            ? to(new Owed(at, at))
                            : refused(state, event);
            case Delivered _, Joined _ -> refused(state, event);
        };
    }

    private static Step ofOwed(CallbackState state, CallbackEvent event) {
        return switch (event) {
            case Sent(var at, var by) -> to(new Carried(at, by));
            case PutOff(var at, var due) -> to(new Owed(at, due));
            case HeldBack(var at, var reason) -> to(new Held(at, reason));
            case TakenIntoJoin(var at, var join) -> to(new Joined(at, join));
            case GivenUp(var at, var reason, var removal) -> to(new Dead(at, reason, removal));
            case AskedAgain(var at) -> to(new Owed(at, at));
            case CarrierFinished _, CarrierBroke _, Released _ -> refused(state, event);
        };
    }

    private static Step ofHeld(CallbackState state, CallbackEvent event) {
        return switch (event) {
            case Released(var at) -> to(new Owed(at, at));
            case TakenIntoJoin(var at, var join) -> to(new Joined(at, join));
            case GivenUp(var at, var reason, var removal) -> to(new Dead(at, reason, removal));
            case Sent _, CarrierFinished _, CarrierBroke _, PutOff _, HeldBack _, AskedAgain _ ->
                    refused(state, event);
        };
    }

    /** The outcome of an event: a new state, or a refusal. */
    public sealed interface Step {
        record Moved(CallbackState state) implements Step {}

        record Refused(CallbackState state, CallbackEvent event) implements Step {}
    }

    private static Step to(CallbackState state) {
        return new Step.Moved(state);
    }

    private static Step refused(CallbackState state, CallbackEvent event) {
        return new Step.Refused(state, event);
    }
}
