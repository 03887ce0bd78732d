package dev.coppice.operation;

import dev.coppice.kernel.BlueprintRefusal;
import dev.coppice.kernel.CallbackRefusal;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.kernel.SessionRefusal;

/**
 * The HTTP status of each refusal, and its kind in the words of the seed; no other code has them.
 */
public final class RefusalKind {
    private RefusalKind() {}

    public static int status(Refusal refusal) {
        return switch (refusal) {
            case RequestRefusal.BadValue _,
                    RequestRefusal.FieldUnknown _,
                    SessionRefusal.ResultNotReady _,
                    RunRefusal.SessionNotNamed _ ->
                    400;
            case RunRefusal.RunnerUnknown _ -> 401;
            case RequestRefusal.NotAllowed _, SessionRefusal.PeopleOnly _ -> 403;
            case SessionRefusal.SessionUnknown _,
                    SessionRefusal.WaveUnknown _,
                    SessionRefusal.StopUnknown _,
                    SessionRefusal.ParentUnknown _,
                    SessionRefusal.ResultMissing _,
                    SessionRefusal.AskUnknown _,
                    RequestRefusal.TokenUnknown _,
                    RequestRefusal.SignInUnknown _,
                    RunRefusal.RunUnknown _,
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
                    RequestRefusal.TooManyTokens _,
                    SessionRefusal.SessionBusy _,
                    SessionRefusal.StateForbids _,
                    SessionRefusal.AskIsSettled _,
                    SessionRefusal.ToolsAreStopped _,
                    RunRefusal.RunHasEnded _,
                    RunRefusal.LeaseLost _,
                    RunRefusal.RunnerTwin _,
                    CallbackRefusal.NotDead _,
                    CallbackRefusal.NotLiving _,
                    CallbackRefusal.NothingToWaitFor _ ->
                    409;
            case BlueprintRefusal blueprint -> status(blueprint);
            case RemovalRefusal removal -> status(removal);
            case RequestRefusal.TooLarge _ -> 413;
            case RequestRefusal.KeyUsedOtherwise _ -> 422;
            case RequestRefusal.TooMany _, RequestRefusal.TooOften _ -> 429;
        };
    }

    private static int status(BlueprintRefusal refusal) {
        return switch (refusal) {
            case BlueprintRefusal.ParametersInvalid _,
                    BlueprintRefusal.PlaceholderUnknown _,
                    BlueprintRefusal.McpConfigMissing _,
                    BlueprintRefusal.ProceduralNotResumed _ ->
                    400;
            case BlueprintRefusal.BlueprintUnknown _, BlueprintRefusal.EntryUnknown _ -> 404;
            case BlueprintRefusal.BlueprintTaken _,
                    BlueprintRefusal.BlueprintInactive _,
                    BlueprintRefusal.BlueprintBuiltIn _,
                    BlueprintRefusal.BlueprintOfRunner _,
                    BlueprintRefusal.EntryTaken _,
                    BlueprintRefusal.EntryInUse _,
                    BlueprintRefusal.RunnerBlueprintTaken _ ->
                    409;
            case BlueprintRefusal.McpServerTwice _, BlueprintRefusal.ReferenceUnknown _ -> 422;
        };
    }

    private static int status(RemovalRefusal refusal) {
        return switch (refusal) {
            case RemovalRefusal.ReasonMissing _ -> 400;
            case RemovalRefusal.RemovalUnknown _, RemovalRefusal.FileUnknown _ -> 404;
            case RemovalRefusal.BackupNotWritten _ -> 503;
            case RemovalRefusal.RemovalForbidden _,
                    RemovalRefusal.PlanChanged _,
                    RemovalRefusal.NotConfirmed _,
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

    /** One of the seed's three kinds of error, for programs that tell them apart. */
    public static String of(Refusal refusal) {
        return switch (refusal) {
            case RemovalRefusal.WorkWouldBeLost _ -> "security_error";
            case RemovalRefusal.ReasonMissing _ -> "validation_error";
            default -> of(status(refusal));
        };
    }

    /** A client error other than a conflict needs a different request: a validation error. */
    public static String of(int status) {
        return status < 500 && status != 409 ? "validation_error" : "operation_error";
    }
}
