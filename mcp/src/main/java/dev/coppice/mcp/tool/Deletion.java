package dev.coppice.mcp.tool;

import dev.coppice.operations.removal.RemovalOperations;
import dev.coppice.wire.Call;
import dev.coppice.wire.Method;
import dev.coppice.wire.removal.PlanView;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.wire.removal.RemoveByFlags;

import org.jspecify.annotations.Nullable;

/** The answer of the operation behind the tools that delete. */
public sealed interface Deletion {
    Call<RemoveByFlags, Deletion> CALL =
            Call.get(
                            "delete_session",
                            "/sessions/{session_id}",
                            RemoveByFlags.class,
                            Deletion.class,
                            "Delete a session and all below it")
                    .by(Method.DELETE)
                    .destructive()
                    .takesLong();

    /** The plan of a dry run. */
    record Planned(PlanView plan) implements Deletion {}

    /** A removal that has begun, with all of its members. */
    record Begun(RemovalView.Whole whole) implements Deletion {
        RemovalView removal() {
            return whole.removal();
        }
    }

    /** Converts the answers of removals. */
    final class Form implements RemovalOperations.Form<Deletion> {
        @Override
        public Deletion of(PlanView plan) {
            return new Planned(plan);
        }

        @Override
        public Deletion of(RemovalView.Whole removal) {
            return new Begun(removal);
        }

        @Override
        public @Nullable String removal(Deletion answer) {
            return answer instanceof Begun begun ? begun.removal().removalId() : null;
        }
    }
}
