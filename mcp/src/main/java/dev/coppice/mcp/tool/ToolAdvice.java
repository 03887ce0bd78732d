package dev.coppice.mcp.tool;

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
import dev.coppice.web.RestAdvice;

/** Advice for each refusal, worded as tools and their arguments. */
public final class ToolAdvice implements Advice {
    private static final String NO_TOOL = "No tool does that; ask the person who runs this tree.";
    private static final String FILE =
            "Send the backup_path that delete_session answered with as file.";
    private static final String ELSEWHERE =
            "Set as_root to true, or name a session further up in under.";
    private final Advice rest = new RestAdvice();

    @Override
    public Face face() {
        return Face.MCP;
    }

    @Override
    public String of(Refusal refusal) {
        return switch (refusal) {
            case RequestRefusal.TokenUnknown _,
                    RequestRefusal.SignInUnknown _,
                    SessionRefusal.AskUnknown _ ->
                    NO_TOOL;
            case RequestRefusal.BudgetSpent(_, _, _, var setBy) ->
                    "Ask for more budget for " + setBy + "; no tool raises it.";
            case SessionRefusal.SessionUnknown _ ->
                    "Check session_id, or name the session with session_name.";
            case SessionRefusal.ResultNotReady _ -> "Wait for its run to end, and ask again.";
            case RemovalRefusal removal -> of(removal);
            case SessionRefusal.WaveUnknown _ -> "See list_waves for the waves there are.";
            case BlueprintRefusal.BlueprintUnknown _, BlueprintRefusal.BlueprintInactive _ ->
                    "Choose one of list_agent_blueprints.";
            case BlueprintRefusal.ParametersInvalid _ ->
                    "Send parameters that fit the parameters_schema of the blueprint.";
            case CallbackRefusal.NotLiving _ ->
                    "Give it a new prompt with resume_agent_session instead.";
            case RunRefusal.RunUnknown _,
                    RunRefusal.RunnerUnknown _,
                    BlueprintRefusal.BlueprintTaken _,
                    BlueprintRefusal.EntryUnknown _,
                    BlueprintRefusal.EntryTaken _,
                    BlueprintRefusal.EntryInUse _,
                    BlueprintRefusal.ReferenceUnknown _,
                    CallbackRefusal.CallbackUnknown _ ->
                    NO_TOOL;
            // The REST advice for these names neither a path nor a field.
            case SessionRefusal _,
                    RequestRefusal _,
                    RunRefusal _,
                    BlueprintRefusal _,
                    CallbackRefusal _ ->
                    rest.of(refusal);
        };
    }

    private String of(RemovalRefusal refusal) {
        return switch (refusal) {
            case RemovalRefusal.RemovalUnknown _ ->
                    "Send the removal_id that delete_session answered with.";
            case RemovalRefusal.RemovalForbidden(_, var objections) -> of(objections);
            case RemovalRefusal.PlanChanged _ ->
                    "Call get_delete_plan again with the same arguments, and confirm its digest.";
            case RemovalRefusal.NotConfirmed(_, _, var digest) ->
                    ("To delete exactly that, call again with the same arguments and confirm '%s'."
                                    + " get_delete_plan shows all of the plan.")
                            .formatted(digest);
            case RemovalRefusal.WorkWouldBeLost _ ->
                    "Set preserve_work to true, or send the digest of get_delete_plan as confirm.";
            case RemovalRefusal.ReasonMissing _ -> "Say why in reason; it is recorded.";
            case RemovalRefusal.SessionRemoved _ -> "Put it back with undo_deletion.";
            case CannotBeUndone(_, var cause, _)
                    when cause == CannotBeUndone.UndoCause.NAMES_TAKEN ->
                    "Set rename to true to give the restored sessions other names.";
            case CannotBeRestored(var cause, _) -> of(cause, refusal);
            case RemovalRefusal.ParentOfRestoredGone _ -> ELSEWHERE;
            case RemovalRefusal.FileUnknown _ -> FILE;
            case RemovalRefusal.TreeIsBeingRemoved _,
                    CannotBeUndone _,
                    RemovalRefusal.RemovedTooOften _,
                    RemovalRefusal.CannotBeCalledOff _,
                    RemovalRefusal.CannotBePurged _,
                    RemovalRefusal.CannotBeAbandoned _,
                    RemovalRefusal.EarlierCanBeUndone _,
                    RemovalRefusal.SessionIdHidden _,
                    RemovalRefusal.BackupNotWritten _ ->
                    rest.of(refusal);
        };
    }

    private String of(CannotBeRestored.RestoreCause cause, RemovalRefusal refusal) {
        return switch (cause) {
            case NO_FILE -> FILE;
            case TOO_DEEP -> ELSEWHERE;
            case IDS_TAKEN ->
                    "Put those sessions back with undo_removal, or set new_ids to true for a copy.";
            case NAMES_TAKEN -> "Set rename to true to give the restored sessions other names.";
            case DAMAGED, NO_SUCH_REMOVAL, IDS_UNFIT, NAMES_UNFIT -> rest.of(refusal);
        };
    }

    @Override
    public String of(Objection.Kind kind) {
        return switch (kind) {
            case HAS_CHILDREN ->
                    "Leave cleanup_agents out to take them along, or set it to false to let them"
                            + " stay.";
            case STILL_RUNNING -> "Set force to true, or stop them first.";
            case CRITICAL_OPERATIONS -> "Wait until they are done, or set force to true.";
            case EARLIER_REMOVALS -> "Wait until the undo windows of those have closed.";
            case REMOVAL_BELOW, WORK_NOT_INSPECTED -> rest.of(kind);
        };
    }
}
