package dev.coppice.web;

import dev.coppice.kernel.BlueprintRefusal;
import dev.coppice.kernel.CallbackRefusal;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.operation.Advice;
import dev.coppice.wire.Json;
import dev.coppice.wire.Problem;
import dev.coppice.wire.Shape;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** Maps refusals to HTTP statuses and problem bodies; no other code does. */
public final class Problems {
    static final Advice ADVICE = new RestAdvice();
    private static final String TYPE = "https://coppice.dev/problems/";

    private Problems() {}

    public static int status(Refusal refusal) {
        return switch (refusal) {
            case RequestRefusal.BadValue _,
                    SessionRefusal.ResultNotReady _,
                    BlueprintRefusal.ParametersInvalid _,
                    BlueprintRefusal.PlaceholderUnknown _ ->
                    400;
            case RunRefusal.RunnerUnknown _ -> 401;
            case RequestRefusal.NotAllowed _ -> 403;
            case SessionRefusal.SessionUnknown _,
                    SessionRefusal.StopUnknown _,
                    SessionRefusal.ParentUnknown _,
                    SessionRefusal.ResultMissing _,
                    RunRefusal.RunUnknown _,
                    BlueprintRefusal.BlueprintUnknown _,
                    CallbackRefusal.CallbackUnknown _,
                    CallbackRefusal.JoinUnknown _ ->
                    404;
            case SessionRefusal.SessionIdTaken _,
                    SessionRefusal.NameTaken _,
                    SessionRefusal.ParentIsItself _,
                    SessionRefusal.ParentMakesCycle _,
                    SessionRefusal.ParentIsFixed _,
                    SessionRefusal.ParentIsStopping _,
                    SessionRefusal.ParentHasEnded _,
                    SessionRefusal.TreeIsStopping _,
                    RequestRefusal.LimitReached _,
                    RequestRefusal.BudgetSpent _,
                    SessionRefusal.SessionBusy _,
                    SessionRefusal.StateForbids _,
                    RunRefusal.RunHasEnded _,
                    RunRefusal.LeaseLost _,
                    RunRefusal.RunnerTwin _,
                    BlueprintRefusal.BlueprintTaken _,
                    BlueprintRefusal.BlueprintInactive _,
                    BlueprintRefusal.BlueprintBuiltIn _,
                    CallbackRefusal.NotDead _,
                    CallbackRefusal.NotLiving _,
                    CallbackRefusal.NothingToWaitFor _ ->
                    409;
            case RemovalRefusal removal -> status(removal);
            case RequestRefusal.TooLarge _ -> 413;
            case RequestRefusal.KeyUsedOtherwise _ -> 422;
            case RequestRefusal.TooMany _ -> 429;
            case RequestRefusal.NotOffered _ -> 501;
        };
    }

    private static int status(RemovalRefusal refusal) {
        return switch (refusal) {
            case RemovalRefusal.ReasonMissing _ -> 400;
            case RemovalRefusal.RemovalUnknown _, RemovalRefusal.FileUnknown _ -> 404;
            case RemovalRefusal.BackupNotWritten _ -> 503;
            case RemovalRefusal.RemovalForbidden _,
                    RemovalRefusal.PlanChanged _,
                    RemovalRefusal.TreeIsBeingRemoved _,
                    RemovalRefusal.RemovedTooOften _,
                    RemovalRefusal.CannotBeUndone _,
                    RemovalRefusal.CannotBeCalledOff _,
                    RemovalRefusal.CannotBePurged _,
                    RemovalRefusal.EarlierCanBeUndone _,
                    RemovalRefusal.CannotBeAbandoned _,
                    RemovalRefusal.SessionIdHidden _,
                    RemovalRefusal.WorkWouldBeLost _,
                    RemovalRefusal.CannotBeRestored _,
                    RemovalRefusal.ParentOfRestoredGone _ ->
                    409;
            case RemovalRefusal.SessionRemoved _ -> 410;
        };
    }

    public static Reply reply(Refusal refusal) {
        return reply(problem(refusal, ADVICE));
    }

    public static Problem problem(Refusal refusal, Advice advice) {
        var code = refusal.code();
        return new Problem(
                TYPE + code,
                code.replace('_', ' '),
                status(refusal),
                code,
                kind(refusal),
                detail(refusal, advice),
                refusal.said(),
                advice.of(refusal),
                cause(refusal));
    }

    public static Reply reply(int status, String code, String said, String advice) {
        return reply(
                new Problem(
                        TYPE + code,
                        code.replace('_', ' '),
                        status,
                        code,
                        kind(status),
                        Json.tree(said),
                        said,
                        advice,
                        null));
    }

    private static Reply reply(Problem problem) {
        return new Reply.Text(problem.status(), Problem.MEDIA_TYPE, Json.write(problem));
    }

    /** One of the seed's three kinds of error, for programs that tell them apart. */
    public static String kind(Refusal refusal) {
        return switch (refusal) {
            case RemovalRefusal.WorkWouldBeLost _ -> "security_error";
            case RemovalRefusal.ReasonMissing _ -> "validation_error";
            default -> kind(status(refusal));
        };
    }

    /** A client error other than a conflict needs a different request: a validation error. */
    private static String kind(int status) {
        return status < 500 && status != 409 ? "validation_error" : "operation_error";
    }

    private static Problem.ObjectionDetail objection(RemovalRefusal.Objection o, Advice advice) {
        return new Problem.ObjectionDetail(
                Shape.word(o.kind()), o.said(), advice.of(o.kind()), o.named());
    }

    /** The cause of a refusal that has several, for faces that word their own advice. */
    private static @Nullable String cause(Refusal refusal) {
        return switch (refusal) {
            case RemovalRefusal.CannotBeUndone(_, var cause, _) -> Shape.word(cause);
            case RemovalRefusal.CannotBeRestored(var cause, _) -> Shape.word(cause);
            default -> null;
        };
    }

    /** The field that the original's clients read: a sentence, or an object as it sent one. */
    private static JsonNode detail(Refusal refusal, Advice advice) {
        var said = refusal.said();
        Object detail =
                switch (refusal) {
                    case BlueprintRefusal.ParametersInvalid(
                                    var agent,
                                    var violations,
                                    var schema) ->
                            new Problem.ParametersDetail(
                                    "parameter_validation_failed",
                                    said,
                                    agent,
                                    Json.tree(violations),
                                    Json.read(schema.value()));
                    case RunRefusal.RunnerTwin(var runner) ->
                            new Problem.RunnerDetail("duplicate_runner", said, runner.value());
                    case RemovalRefusal.RemovalForbidden(var session, var objections) ->
                            new Problem.RefusalsDetail(
                                    kind(refusal),
                                    said,
                                    session.value(),
                                    objections.stream().map(o -> objection(o, advice)).toList());
                    case RemovalRefusal.SessionRemoved(var session, var removal) ->
                            new Problem.RemovedDetail(kind(refusal), said, session, removal);
                    case RemovalRefusal.FileUnknown _, RemovalRefusal.BackupNotWritten _ -> said;
                    case RemovalRefusal _ -> new Problem.KindDetail(kind(refusal), said);
                    default -> said;
                };
        return Json.tree(detail);
    }
}
