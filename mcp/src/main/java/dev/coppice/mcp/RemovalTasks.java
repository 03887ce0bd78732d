package dev.coppice.mcp;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Rejected;
import dev.coppice.mcp.call.BrokenCall;
import dev.coppice.mcp.call.Task;
import dev.coppice.mcp.message.Changes.TaskView;
import dev.coppice.mcp.message.Lists.ToolResult;
import dev.coppice.mcp.tool.Confirming;
import dev.coppice.mcp.tool.DeletionTools;
import dev.coppice.mcp.tool.Resources;
import dev.coppice.operations.removal.RemovalOperations;
import dev.coppice.request.Context;
import dev.coppice.wire.Json;
import dev.coppice.wire.removal.RemovalView;

import tools.jackson.databind.JsonNode;

import java.util.Map;

/**
 * The tasks of deletions that are not in memory, for instance after a restart. The name of such a
 * task has the id of its removal, which is stored.
 */
final class RemovalTasks {
    private final Resources resources;
    private final RemovalOperations removals;

    RemovalTasks(Resources resources, RemovalOperations removals) {
        this.resources = resources;
        this.removals = removals;
    }

    /** Calls the removal off, if it is not too late. */
    void cancel(Context context, String id) throws BrokenCall {
        view(context, id);
        var asked = Map.of("removal_id", Json.tree(removal(id)));
        try {
            removals.cancelling().perform(context, part -> asked.get(part.name()));
        } catch (Rejected _) {
            // The removal continues, as its task shows.
        }
    }

    private static String removal(String id) throws BrokenCall {
        int dot = id.lastIndexOf('.');
        if (!id.startsWith(Confirming.TASK) || dot <= Confirming.TASK.length()) throw unknown(id);
        return id.substring(Confirming.TASK.length(), dot);
    }

    TaskView view(Context context, String id) throws BrokenCall {
        JsonNode removal;
        try {
            removal = resources.removal(context, removal(id));
        } catch (BrokenCall _) {
            throw unknown(id);
        }
        boolean isOver = removal.path("over").asBoolean() || removal.path("percent").asInt() == 100;
        boolean isCalledOff = removal.hasNonNull("called_off");
        var status =
                !isOver
                        ? Task.Status.WORKING
                        : isCalledOff ? Task.Status.CANCELLED : Task.Status.COMPLETED;
        var began = String.valueOf(Json.text(removal, "began_at"));
        var ended = Json.text(removal, "hidden_at");
        return new TaskView(
                id,
                status.word(),
                "%d percent".formatted(removal.path("percent").asInt()),
                began,
                ended == null ? began : ended,
                Task.VALID.toMillis(),
                Task.POLL_MILLIS,
                null,
                status == Task.Status.COMPLETED ? result(context, removal(id)) : null,
                null,
                null);
    }

    private ToolResult result(Context context, String removal) throws BrokenCall {
        return switch (removals.complete(context, removal)) {
            case Outcome.Refused<RemovalView.Whole> _ -> throw unknown(removal);
            case Outcome.Done<RemovalView.Whole>(var whole) -> DeletionTools.result(whole);
        };
    }

    private static BrokenCall unknown(String id) {
        return new BrokenCall(200, -32602, "there is no task %s, or not any more".formatted(id));
    }
}
