package dev.coppice.web;

import dev.coppice.kernel.Refusal;
import dev.coppice.wire.Json;
import dev.coppice.wire.Problem;

import tools.jackson.databind.JsonNode;

/** Refusals as HTTP statuses and problem bodies: the one place where the two meet. */
public final class Problems {
    private Problems() {}

    public static int status(Refusal refusal) {
        return switch (refusal) {
            case Refusal.BadValue _,
                    Refusal.ResultNotReady _,
                    Refusal.ParametersInvalid _,
                    Refusal.PlaceholderUnknown _ ->
                    400;
            case Refusal.RunnerUnknown _ -> 401;
            case Refusal.NotAllowed _ -> 403;
            case Refusal.SessionUnknown _,
                    Refusal.ParentUnknown _,
                    Refusal.ResultMissing _,
                    Refusal.RunUnknown _,
                    Refusal.BlueprintUnknown _ ->
                    404;
            case Refusal.SessionIdTaken _,
                    Refusal.NameTaken _,
                    Refusal.ParentIsItself _,
                    Refusal.ParentMakesCycle _,
                    Refusal.ParentIsFixed _,
                    Refusal.ParentIsStopping _,
                    Refusal.ParentHasEnded _,
                    Refusal.LimitReached _,
                    Refusal.SessionBusy _,
                    Refusal.StateForbids _,
                    Refusal.RunHasEnded _,
                    Refusal.LeaseLost _,
                    Refusal.RunnerTwin _,
                    Refusal.BlueprintTaken _,
                    Refusal.BlueprintInactive _,
                    Refusal.BlueprintBuiltIn _ ->
                    409;
            case Refusal.TooLarge _ -> 413;
            case Refusal.KeyUsedOtherwise _ -> 422;
            case Refusal.NotOffered _ -> 501;
        };
    }

    public static Reply reply(Refusal refusal) {
        return reply(
                status(refusal), refusal.code(), refusal.said(), refusal.advice(), detail(refusal));
    }

    public static Reply reply(int status, String code, String said, String advice) {
        return reply(status, code, said, advice, Json.tree(said));
    }

    private static Reply reply(
            int status, String code, String said, String advice, JsonNode detail) {
        var problem =
                new Problem(
                        "https://coppice.dev/problems/" + code,
                        code.replace('_', ' '),
                        status,
                        code,
                        detail,
                        said,
                        advice);
        return new Reply.Text(status, Problem.MEDIA_TYPE, Json.write(problem));
    }

    /** What the original's clients read: mostly a sentence, an object where it sent one. */
    private static JsonNode detail(Refusal refusal) {
        return switch (refusal) {
            case Refusal.ParametersInvalid(var agent, var violations, var schema) -> {
                var detail =
                        Json.object()
                                .put("error", "parameter_validation_failed")
                                .put("message", refusal.said())
                                .put("agent_name", agent);
                detail.set("validation_errors", Json.tree(violations));
                detail.set("parameters_schema", Json.read(schema.value()));
                yield detail;
            }
            case Refusal.RunnerTwin(var runner) ->
                    Json.object()
                            .put("error", "duplicate_runner")
                            .put("message", refusal.said())
                            .put("runner_id", runner.value());
            default -> Json.tree(refusal.said());
        };
    }
}
