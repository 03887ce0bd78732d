package dev.coppice.mcp.tool;

import dev.coppice.access.Need;
import dev.coppice.mcp.message.Lists.ToolResult;
import dev.coppice.request.Operation;
import dev.coppice.wire.removal.PlanView;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.wire.removal.RemoveByFlags;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** The tools that plan a deletion, delete, and undo. */
public final class DeletionTools {
    private static final Map<String, String> PATIENT = Map.of("wait", Tool.PATIENCE);

    static final Tool.Listing DELETION =
            new Tool.Listing(
                    "delete_session",
                    "Delete a session and everything below it",
                    "Deletes a session and its agents, every session below it"
                            + " (unless cleanup_agents is false). Refused while something runs"
                            + " or is critical, unless forced. Unsaved work is preserved and"
                            + " verified first, a backup is written, and for some days"
                            + " undo_deletion brings all of it back. If your client can ask its"
                            + " user, it asks first. Only what cannot come back, such as discarded"
                            + " work, needs the digest of get_delete_plan as confirm.",
                    DeletedSession.class,
                    PATIENT,
                    Set.of("wait", "cascade"),
                    Map.of(),
                    true);

    private DeletionTools() {}

    public static List<Tool<?, ?>> of(
            Operation<RemoveByFlags, Deletion> delete,
            Operation<RemovalCalls.Undo, RemovalView.Undone> undo,
            Operation<RemovalCalls.Decide, ?> cancel,
            Confirming.Earlier earlier) {
        var planning =
                new Operation<>(
                        delete.call(),
                        Need.READ,
                        delete.action(),
                        delete.waiting(),
                        delete.notes());
        var confirming = new Confirming(planning, cancel, earlier);
        var deleting = new Tool<>(DELETION, delete, new Deleting(), confirming);
        var ofAgent =
                new Tool.Listing(
                                "delete_agent",
                                "Delete an agent and everything below it",
                                "Deletes an agent of a session as delete_session does, by its name"
                                        + " or id.",
                                DeletedSession.class,
                                PATIENT,
                                DELETION.hidden())
                        .calling(Tool.OF_AGENT);
        var agents = new Tool<>(ofAgent, delete, new Deleting(), confirming);
        return List.of(plan(planning), deleting, undo(undo), agents);
    }

    private static Tool<?, ?> plan(Operation<RemoveByFlags, Deletion> planning) {
        return new Tool<>(
                new Tool.Listing(
                        "get_delete_plan",
                        "Look at a deletion before it is done",
                        "Shows what delete_session would delete with these arguments: sessions,"
                                + " runs and unsaved work, and what forbids it. Changes nothing."
                                + " Its 'digest' goes into 'confirm' of delete_session.",
                        PlanView.class,
                        Map.of("dry_run", "true"),
                        Set.of("wait", "dry_run", "cascade"),
                        Map.of(),
                        true),
                planning,
                answer -> Deleting.planned(((Deletion.Planned) answer).plan()));
    }

    private static Tool<?, ?> undo(Operation<RemovalCalls.Undo, RemovalView.Undone> undo) {
        return new Tool<>(
                new Tool.Listing(
                        "undo_deletion",
                        "Put a deleted session back",
                        "Restores everything that delete_session deleted, exactly as it was,"
                                + " until the time that delete_session returned.",
                        RemovalView.Undone.class,
                        PATIENT,
                        Set.of("wait")),
                undo,
                DeletionTools::undone);
    }

    private static Tool.Answer undone(RemovalView.Undone undone) {
        var left = undone.notReattached();
        var said =
                left.isEmpty()
                        ? " is back with all that was below it."
                        : " is back, without sessions that now have another parent: "
                                + String.join(", ", left);
        return new Tool.Answer(true, undone.removal().sessionName() + said, undone);
    }

    /** The result of a deletion. */
    public static ToolResult result(RemovalView.Whole removal) {
        return Result.shown(new Deleting().of(new Deletion.Begun(removal)));
    }
}
