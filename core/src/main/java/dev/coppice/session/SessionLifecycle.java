package dev.coppice.session;

import dev.coppice.session.SessionEvent.*;
import dev.coppice.session.SessionState.*;

/** The one place where a session changes state. Pure: no clock, no store, no log. */
final class SessionLifecycle {
    private SessionLifecycle() {}

    public static Step next(SessionState state, SessionEvent event) {
        return switch (state) {
            case Pending _ ->
                    switch (event) {
                        case RunQueued(var at) -> to(new Pending(at));
                        case RunBegan(var at) -> to(new Running(at));
                        case StopAsked(var at, var deadline, var reason) ->
                                to(new Stopping(at, deadline, reason));
                        case Broke _, StopConfirmed _, RanOutOfTime _, RunnerVanished _ ->
                                ended(event);
                        case TurnEnded _, Completed _ -> refused(state, event);
                    };
            case Running _ ->
                    switch (event) {
                        case TurnEnded(var at) -> to(new Idle(at));
                        case StopAsked(var at, var deadline, var reason) ->
                                to(new Stopping(at, deadline, reason));
                        case Completed _,
                                Broke _,
                                StopConfirmed _,
                                RanOutOfTime _,
                                RunnerVanished _ ->
                                ended(event);
                        case RunQueued _, RunBegan _ -> refused(state, event);
                    };
            case Idle _ ->
                    switch (event) {
                        case RunQueued(var at) -> to(new Pending(at));
                        case RunBegan(var at) -> to(new Running(at));
                        case StopAsked(var at, var deadline, var reason) ->
                                to(new Stopping(at, deadline, reason));
                        case Completed _,
                                Broke _,
                                StopConfirmed _,
                                RanOutOfTime _,
                                RunnerVanished _ ->
                                ended(event);
                        case TurnEnded _ -> refused(state, event);
                    };
            case Stopping _ ->
                    switch (event) {
                        // Completed before the stop reached it: trust the reported end.
                        case Completed _,
                                Broke _,
                                StopConfirmed _,
                                RanOutOfTime _,
                                RunnerVanished _ ->
                                ended(event);
                        case RunQueued _, RunBegan _, TurnEnded _, StopAsked _ ->
                                refused(state, event);
                    };
            case Ended _ -> ofEnded(state, event);
        };
    }

    private static Step ofEnded(SessionState state, SessionEvent event) {
        return switch (event) {
            // Every ended session can be resumed: the conversation still exists.
            case RunQueued(var at) -> to(new Pending(at));
            case RunBegan _,
                    TurnEnded _,
                    StopAsked _,
                    Completed _,
                    Broke _,
                    StopConfirmed _,
                    RanOutOfTime _,
                    RunnerVanished _ ->
                    refused(state, event);
        };
    }

    /** The result of an event: the new state, or a refusal. */
    public sealed interface Step {
        record Moved(SessionState state) implements Step {}

        record Refused(SessionState state, SessionEvent event) implements Step {}
    }

    private static Step ended(SessionEvent event) {
        return switch (event) {
            case Completed(var at, var reason) -> to(new Finished(at, reason));
            case Broke(var at, var reason) -> to(new Failed(at, reason));
            case StopConfirmed(var at, var reason) -> to(new Stopped(at, reason));
            case RanOutOfTime(var at, var reason) -> to(new TimedOut(at, reason));
            case RunnerVanished(var at, var reason) -> to(new Lost(at, reason));
            case RunQueued _, RunBegan _, TurnEnded _, StopAsked _ ->
                    throw new IllegalStateException(event + " does not end a session");
        };
    }

    private static Step to(SessionState state) {
        return new Step.Moved(state);
    }

    private static Step refused(SessionState state, SessionEvent event) {
        return new Step.Refused(state, event);
    }
}
