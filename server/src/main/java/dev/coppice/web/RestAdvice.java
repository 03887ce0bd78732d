package dev.coppice.web;

import dev.coppice.kernel.BlueprintRefusal;
import dev.coppice.kernel.CallbackRefusal;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.RemovalRefusal.CannotBeRestored;
import dev.coppice.kernel.RemovalRefusal.CannotBeUndone;
import dev.coppice.kernel.RemovalRefusal.Objection;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.operation.Advice;
import dev.coppice.session.SessionName;

/** Advice for each refusal, worded as requests and fields of the REST API. */
public final class RestAdvice implements Advice {
    @Override
    public Face face() {
        return Face.REST;
    }

    @Override
    public String of(Refusal refusal) {
        return switch (refusal) {
            case RequestRefusal r -> of(r);
            case SessionRefusal r -> of(r);
            case RunRefusal r -> of(r);
            case BlueprintRefusal r -> of(r);
            case CallbackRefusal r -> of(r);
            case RemovalRefusal r -> of(r);
        };
    }

    private String of(RequestRefusal refusal) {
        return switch (refusal) {
            case RequestRefusal.BadValue(var field, _, _) ->
                    "Send " + field + " as described and try again.";
            case RequestRefusal.FieldUnknown _ ->
                    "Correct its name or its place, or leave it out; nothing was changed.";
            case RequestRefusal.TooLarge _ ->
                    "Send less, or keep the content in a file and send its path.";
            case RequestRefusal.LimitReached _ ->
                    "Wait for something to end, or have the limit raised where it was set; a limit"
                            + " of bytes has room again when ended sessions of the tree are"
                            + " removed.";
            case RequestRefusal.TooMany _ ->
                    "Close one, or wait until one has ended, and try again.";
            case RequestRefusal.TooOften _ -> "Wait, or stop a whole tree with one request.";
            case RequestRefusal.TokenUnknown _ -> "List the valid tokens with GET /tokens.";
            case RequestRefusal.SignInUnknown _ -> "Run 'coppice open' for a new link.";
            case RequestRefusal.TooManyTokens _ -> "Revoke tokens that are not in use any more.";
            case RequestRefusal.KeyUsedOtherwise _ ->
                    "Use a new key for a new request; the same key repeats the same one.";
            case RequestRefusal.NotAllowed _ ->
                    "Use a token whose role allows this, or the token of an ancestor session.";
            case RequestRefusal.BudgetSpent(_, _, _, var setBy) ->
                    "Raise it with PUT /sessions/%s/budget.".formatted(setBy);
        };
    }

    private static String of(SessionRefusal refusal) {
        return switch (refusal) {
            case SessionRefusal.SessionUnknown _ ->
                    "List the sessions you may see with GET /sessions.";
            case SessionRefusal.SessionIdTaken _ ->
                    "Choose another id, leave it out to have one made, or resume the session.";
            case SessionRefusal.NameTaken _ ->
                    "Choose another name, or resume the session that has it.";
            case SessionRefusal.ParentUnknown _ ->
                    "Name a parent that exists, or leave it out to start a tree of its own.";
            case SessionRefusal.ParentIsItself _ -> "Name another parent, or leave it out.";
            case SessionRefusal.ParentMakesCycle _ ->
                    "Leave the parent out; a session keeps the parent it was started with.";
            case SessionRefusal.ParentIsFixed _ ->
                    "Leave the parent out when resuming; only a root can be attached.";
            case SessionRefusal.ParentIsStopping _ ->
                    "Wait until it has stopped, resume it, and try again.";
            case SessionRefusal.WaveUnknown _ -> "List the waves you may see with GET /waves.";
            case SessionRefusal.StopUnknown _ ->
                    "Its id was in the answer of the stop; asking for the stop again shows it.";
            case SessionRefusal.TreeIsStopping _ -> "Wait until the stop is over, and try again.";
            case SessionRefusal.ParentHasEnded _ ->
                    "Resume the parent first, or start the session without it.";
            case SessionRefusal.SessionBusy _ ->
                    "Wait for the run to end, or stop it, and resume then.";
            case SessionRefusal.StateForbids _ -> "Read its present state before reporting on it.";
            case SessionRefusal.ResultNotReady _ ->
                    "Wait for its run with GET /runs/{id}?wait=30s.";
            case SessionRefusal.ResultMissing _ -> "Read its events to see what it did.";
            case SessionRefusal.AskUnknown _ -> "List the open ones with GET /asks.";
            case SessionRefusal.AskIsSettled _ -> "Nobody waits for an answer any more.";
            case SessionRefusal.PeopleOnly _ -> "Ask a person to lift it.";
            case SessionRefusal.ToolsAreStopped _ ->
                    "Thaw it, or give its program a new prompt in its own window.";
        };
    }

    private static String of(RunRefusal refusal) {
        return switch (refusal) {
            case RunRefusal.RunUnknown _ -> "List the runs you may see with GET /runs.";
            case RunRefusal.SessionNotNamed _ ->
                    "Name the session to resume by its id or its name.";
            case RunRefusal.RunHasEnded _ -> "An ended run stays ended; stop working on it.";
            case RunRefusal.LeaseLost _ ->
                    "End the agent's processes for this run; another may have taken it over.";
            case RunRefusal.RunnerUnknown _ -> "Register with POST /runner/register and go on.";
            case RunRefusal.RunnerTwin _ ->
                    "Stop the other one, or start this one with another profile or directory.";
        };
    }

    private static String of(BlueprintRefusal refusal) {
        return switch (refusal) {
            case BlueprintRefusal.BlueprintUnknown _ -> "List the blueprints with GET /agents.";
            case BlueprintRefusal.BlueprintTaken(var name) ->
                    "Change it with PATCH /agents/" + name + ", or choose another name.";
            case BlueprintRefusal.BlueprintInactive(var name) ->
                    "Activate it with PATCH /agents/" + name + "/status.";
            case BlueprintRefusal.BlueprintBuiltIn _ ->
                    "Create an agent with the same name to replace it.";
            case BlueprintRefusal.ParametersInvalid _ ->
                    "Send parameters that fit the agent's parameters_schema.";
            case BlueprintRefusal.EntryUnknown(var what, _) ->
                    "List what there is with GET %s.".formatted(what.path());
            case BlueprintRefusal.EntryTaken(var what, var name) ->
                    "Change it under %s/%s, or choose another name.".formatted(what.path(), name);
            case BlueprintRefusal.EntryInUse _ ->
                    "Take the reference out of each of them first; nothing was removed.";
            case BlueprintRefusal.ReferenceUnknown(_, var what, _) ->
                    "Create it with POST %s, or take the reference out.".formatted(what.path());
            case BlueprintRefusal.McpServerTwice _ ->
                    "Rename one of them, or take out the capability that brings it.";
            case BlueprintRefusal.McpConfigMissing _ ->
                    "Set it in 'config' of the reference or in 'default_config' of the server, and"
                            + " pass each value that a placeholder in it names.";
            case BlueprintRefusal.ProceduralNotResumed _ ->
                    "Start a new session of the agent with these parameters.";
            case BlueprintRefusal.RunnerBlueprintTaken _ ->
                    "Rename the agent in the runner's executor, or remove the other one.";
            case BlueprintRefusal.BlueprintOfRunner _ ->
                    "Change it where the runner has it, and start the runner again.";
            case BlueprintRefusal.PlaceholderUnknown(var placeholder, _) ->
                    "Pass it, allow it (COPPICE_ENV_ALLOW for env), or write $${"
                            + placeholder
                            + "} to mean the text itself.";
        };
    }

    private static String of(CallbackRefusal refusal) {
        return switch (refusal) {
            case CallbackRefusal.CallbackUnknown _ ->
                    "List the callbacks you may see with GET /callbacks.";
            case CallbackRefusal.JoinUnknown _ -> "Its id was in the answer that opened it.";
            case CallbackRefusal.NotDead _ ->
                    "Resume its session; held callbacks are delivered when its run has ended.";
            case CallbackRefusal.NotLiving _ ->
                    "Resume it with a prompt: POST /runs with type resume_session.";
            case CallbackRefusal.NothingToWaitFor _ ->
                    "Name children of the waiting session; each must have a run.";
        };
    }

    private String of(RemovalRefusal refusal) {
        return switch (refusal) {
            case RemovalRefusal.RemovalUnknown _ -> "List the removals with GET /removals.";
            case RemovalRefusal.RemovalForbidden(_, var objections) -> of(objections);
            case RemovalRefusal.PlanChanged _ ->
                    "Look at the plan again, with the same choices, and confirm what it says now.";
            case RemovalRefusal.NotConfirmed(_, _, var digest) ->
                    "Send confirm=%s to delete exactly that.".formatted(digest);
            case RemovalRefusal.WorkWouldBeLost _ ->
                    "Preserve it with work=preserve, or send as 'confirm' the digest of a plan"
                            + " that shows what is discarded.";
            case RemovalRefusal.ReasonMissing _ -> "Say why in 'reason'; it is written down.";
            case RemovalRefusal.RemovedTooOften _ ->
                    "Ask an operator to remove it; every undone removal leaves a backup behind.";
            case RemovalRefusal.TreeIsBeingRemoved _ ->
                    "Wait until the removal is over, or cancel it.";
            case RemovalRefusal.SessionRemoved(_, var removal) ->
                    "See GET /removals/%s for whether it can be undone.".formatted(removal);
            case RemovalRefusal.CannotBeUndone(_, var cause, _) -> of(cause);
            case RemovalRefusal.CannotBeRestored(var cause, _) -> of(cause);
            case RemovalRefusal.ParentOfRestoredGone _ ->
                    "Restore it as_root, or under another session.";
            case RemovalRefusal.CannotBeCalledOff _ ->
                    "A hidden removal can be undone; one that is over cannot be changed.";
            case RemovalRefusal.CannotBePurged _ ->
                    "Wait until it is hidden; a removal that is over cannot be changed.";
            case RemovalRefusal.CannotBeAbandoned _ ->
                    "Only a removal that is under way can stop waiting for unreachable hosts.";
            case RemovalRefusal.EarlierCanBeUndone _ ->
                    "Their undo windows are open; purge them first, deepest first.";
            case RemovalRefusal.SessionIdHidden _ ->
                    "Choose another id, leave it out to have one made, or purge the removal.";
            case RemovalRefusal.FileUnknown _ ->
                    "See GET /removals/{id} and GET /removals/{id}/work for what there is.";
            case RemovalRefusal.BackupNotWritten _ ->
                    "Make room on its disk, or its directory writable, and try again.";
        };
    }

    @Override
    public String of(Objection.Kind kind) {
        return switch (kind) {
            case HAS_CHILDREN ->
                    "Choose children=cascade to take them along, or children=detach to let them"
                            + " stay.";
            case STILL_RUNNING -> "Stop them first, or choose running=stop.";
            case CRITICAL_OPERATIONS ->
                    "Wait until they are done, or choose critical=override and say why.";
            case EARLIER_REMOVALS -> "Purge those first, or choose purge=later.";
            case REMOVAL_BELOW -> "Wait until that removal is over.";
            case WORK_NOT_INSPECTED -> "Mend the cause on that host, and look at the plan again.";
        };
    }

    private static String of(CannotBeUndone.UndoCause cause) {
        return switch (cause) {
            case NAMES_TAKEN ->
                    "Rename those sessions, or send rename=true to rename the restored ones.";
            case PARENT_REMOVED -> "Undo the removal of the parent first.";
            case UNDER_WAY -> "Cancel it instead, while it is under way.";
            case DETACHING -> "Wait until it is hidden, and undo it then.";
            case BEING_HIDDEN -> "It is just being hidden: try again in a moment.";
            case CALLED_OFF -> "It was called off; nothing was removed.";
            case WINDOW_CLOSED -> "Its undo window is closed; restore it from its backup.";
        };
    }

    private static String of(CannotBeRestored.RestoreCause cause) {
        return switch (cause) {
            case NO_FILE -> "Upload the file with POST /backups/{file}/part first.";
            case DAMAGED -> "Use another copy of the file, or a newer version of Coppice.";
            case NO_SUCH_REMOVAL -> "Leave 'removal' out, or name one that the file has.";
            case IDS_UNFIT ->
                    "An id has 1 to 100 letters, digits, or any of _ . : - and new_ids appends 7"
                            + " of them.";
            case NAMES_UNFIT -> "A name has " + SessionName.RULE + "; the file has other names.";
            case TOO_DEEP -> "Restore it as_root, or further up.";
            case IDS_TAKEN -> "If those sessions were removed, undo that; else send new_ids=true.";
            case NAMES_TAKEN ->
                    "Rename those sessions, or send rename=true to rename the restored ones.";
        };
    }
}
