package dev.coppice.blueprints;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** The decision of a hook about the run that waits for it. */
public sealed interface HookVerdict {
    /** The run may start, with these parameters if there are any. */
    record Passed(@Nullable JsonText parameters) implements HookVerdict {}

    record Blocked(String reason) implements HookVerdict {
        public Blocked {
            reason = said(reason);
        }
    }

    record Failed(String error, Way way) implements HookVerdict {
        public Failed {
            error = said(error);
        }

        public static Failed because(String error) {
            return new Failed(error, Way.BROKE);
        }
    }

    /** The text of a hook in a form that can be stored: PostgreSQL has no NUL. */
    private static String said(String text) {
        return Bounds.firstOf(text.replace('\0', ' '), Bounds.REASON_CHARS_MAX);
    }

    /** The ways in which a hook fails. */
    enum Way {
        BROKE,
        RAN_OUT_OF_TIME
    }

    /** Reads the verdict from the last run of the hook's session. */
    static HookVerdict of(Run hook) {
        return switch (hook.state()) {
            case RunState.Finished _ -> of(result(hook));
            case RunState.TimedOut(_, var reason, _) -> new Failed(reason, Way.RAN_OUT_OF_TIME);
            case RunState.Stopped _ -> Failed.because("Hook was stopped");
            case RunState.Ended end -> Failed.because(end.reason());
            case RunState.Queued _,
                    RunState.Hooked _,
                    RunState.Claimed _,
                    RunState.Running _,
                    RunState.Stopping _ ->
                    throw new IllegalStateException("the hook " + hook.id() + " has not ended");
        };
    }

    private static @Nullable JsonNode result(Run hook) {
        var data = hook.result().data();
        if (data != null) return Json.read(data.value());
        var text = hook.result().text();
        return text == null ? null : Json.valueOf(text.strip());
    }

    /** A result without an action lets the run start. */
    private static HookVerdict of(@Nullable JsonNode result) {
        if (result == null || !result.isObject()) return new Passed(null);
        if (result.path("action").asString("continue").equals("block")) {
            return new Blocked(result.path("block_reason").asString("no reason was given"));
        }
        var parameters = result.path("parameters");
        if (parameters.isMissingNode() || parameters.isNull()) return new Passed(null);
        if (!parameters.isObject()) return Failed.because("its 'parameters' are not an object");
        return new Passed(new JsonText(parameters.toString()));
    }
}
