package dev.coppice.originals.removal;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Method;
import dev.coppice.wire.removal.Choices;
import dev.coppice.wire.removal.PlanView;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemoveByFlags;

/** The deletion of a session, and the plan of a removal, by flags. */
final class DeletionCalls {
    static final Call<RemoveByFlags, DeletionAnswer> DELETE =
            Call.get(
                            "delete_session",
                            "/sessions/{session_id}",
                            RemoveByFlags.class,
                            DeletionAnswer.class,
                            "Delete a session and, unless cascade=false, all below it; can be"
                                    + " undone for a while")
                    .by(Method.DELETE)
                    .destructive()
                    .takesLong()
                    .older();

    /** Replaces the server's call, and has its fields. */
    static final Call<Plan, PlanView> PLAN =
            Call.get(
                    RemovalCalls.PLAN.name(),
                    RemovalCalls.PLAN.path(),
                    Plan.class,
                    PlanView.class,
                    RemovalCalls.PLAN.says());

    private DeletionCalls() {}

    /** The request for a plan, in words or with flags. */
    record Plan(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Inline Choices choices,
            @Inline RemoveByFlags.Flags flags) {}
}
