package dev.coppice.operations.removal;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.PlanRemoval;
import dev.coppice.removal.RemovalPlan;
import dev.coppice.removal.RemoveTree;

import java.util.Optional;

/** The removals that must be confirmed with the digest of their plan. */
public enum Confirmation {
    /** Removals that discard unsaved work; the command itself demands this. */
    OF_LOSSES,
    /** All removals, of all callers. */
    OF_ALL;

    /** Refuses a removal that is not confirmed. Other refusals of the command come first. */
    Optional<Refusal> missing(PlanRemoval planner, SessionId top, RemoveTree.Request request) {
        boolean isForCommand = request.confirm() != null || isUnexplained(request);
        if (this == OF_LOSSES || isForCommand) return Optional.empty();
        var plan = planner.plan(top, request.choices(), request.work());
        return plan instanceof Outcome.Done<RemovalPlan>(var seen) && seen.objections().isEmpty()
                ? Optional.of(new RemovalRefusal.NotConfirmed(top, seen.sessions(), seen.digest()))
                : Optional.empty();
    }

    private static boolean isUnexplained(RemoveTree.Request request) {
        return RemoveTree.unexplained(request).isPresent();
    }
}
