package dev.coppice.mcp.tool;

import dev.coppice.kernel.Counted;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.mcp.call.BrokenCall;
import dev.coppice.mcp.call.Cancelled;
import dev.coppice.mcp.call.Channel;
import dev.coppice.mcp.call.Question;
import dev.coppice.mcp.call.Unanswered;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.wire.Json;
import dev.coppice.wire.removal.PlanView;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.wire.removal.RemoveByFlags;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Map;

/**
 * Asks the client's user about a deletion, and cancels it if the client cancels the request. The
 * answer confirms one plan: if the tree changes meanwhile, the next one must be confirmed. For
 * agents and clients that cannot ask, the operation decides what needs the digest of the plan.
 */
public record Confirming(
        Operation<RemoveByFlags, Deletion> planning,
        Operation<RemovalCalls.Decide, ?> cancel,
        Earlier earlier)
        implements Tool.Manner<Deletion> {
    /** Finds the deletion that began a removal. */
    public interface Earlier {
        Outcome<RemovalView.Whole> of(Context context, String removal);
    }

    /** The prefix of the name of a deletion's task, before the id of the removal. */
    public static final String TASK = "removal.";

    private static final int DIGEST_CHARS = 12;
    private static final String TICKED = "confirm";
    private static final String SCHEMA =
            """
            {"type": "object",
             "properties": {
               "confirm": {"type": "boolean", "title": "Delete", "default": false,
                           "description": "tick this to delete"}},
             "required": ["confirm"]}\
            """;

    @Override
    public Arguments confirmed(Context context, Arguments arguments, Channel channel)
            throws BrokenCall, Unanswered, Cancelled, Tool.Declined {
        boolean isSure =
                arguments.text("confirm") != null || "true".equals(arguments.text("dry_run"));
        if (isSure || !hasPerson(context, channel)) return arguments;
        var plan = plan(context, arguments);
        if (plan == null || !plan.allowed()) return arguments;
        var question = Question.form(said(plan, arguments), SCHEMA);
        var key = "delete-" + plan.digest().substring(0, DIGEST_CHARS);
        var answer = channel.ask(Map.of(key, question)).get(key);
        // The user has closed the question, or the client found no user: neither is a yes.
        if (answer == null || "cancel".equals(Json.text(answer, "action"))) throw unconfirmed(plan);
        if (!isTicked(answer)) {
            throw new Tool.Declined(
                    plan.sessionName()
                            + " is not deleted: the user said no. Ask what to do instead");
        }
        return arguments.with("confirm", plan.digest());
    }

    /**
     * An agent is never asked, whatever its client can do: the program answers for it, and Codex
     * without approvals declines every form.
     */
    private static boolean hasPerson(Context context, Channel channel) {
        return channel.client().hasForms() && !context.caller().isAgent();
    }

    private static Rejected unconfirmed(PlanView plan) {
        var session = new SessionId(plan.sessionId());
        return new Rejected(
                new RemovalRefusal.NotConfirmed(session, plan.sessions(), plan.digest()));
    }

    /** Returns null if there is no plan: the operation then refuses. */
    private @Nullable PlanView plan(Context context, Arguments arguments) {
        try {
            var outcome = planning.perform(context, arguments.with("dry_run", "true")).outcome();
            return outcome instanceof Outcome.Done<Deletion>(Deletion.Planned(var plan))
                    ? plan
                    : null;
        } catch (Rejected _) {
            return null;
        }
    }

    private static String said(PlanView plan, Arguments arguments) {
        boolean isDiscarded = "false".equals(arguments.text("preserve_work"));
        var work =
                isDiscarded
                        ? "Unsaved work is discarded for good."
                        : "Unsaved work is preserved first.";
        return "Delete %s? That takes %s. %s Sessions can be put back until the undo window closes."
                .formatted(plan.sessionName(), Counted.sessions(plan.sessions()), work);
    }

    private static boolean isTicked(JsonNode answer) {
        return "accept".equals(Json.text(answer, "action"))
                && answer.path("content").path(TICKED).asBoolean(false);
    }

    @Override
    public boolean callOff(Context context, Deletion first) {
        if (!(first instanceof Deletion.Begun begun)) return true;
        try {
            var fields = Map.of("removal_id", Json.tree(begun.removal().removalId()));
            return cancel.perform(context, new Arguments(fields)).outcome() instanceof Outcome.Done;
        } catch (Rejected _) {
            return false;
        }
    }

    /** Deleting a session that was deleted before is a success. */
    @Override
    public Tool.@Nullable Answer over(Context context, Refusal refusal) {
        return refusal instanceof RemovalRefusal.SessionRemoved(var session, var removal)
                        && earlier.of(context, removal)
                                instanceof Outcome.Done<RemovalView.Whole>(var whole)
                ? Deleting.already(refusal.said(), session, new Deletion.Begun(whole))
                : null;
    }

    @Override
    public @Nullable String name(Deletion first) {
        return first instanceof Deletion.Begun begun ? TASK + begun.removal().removalId() : null;
    }
}
