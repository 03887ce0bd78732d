package dev.coppice.originals.removal;

import dev.coppice.access.Need;
import dev.coppice.boot.Face;
import dev.coppice.boot.Ground;
import dev.coppice.kernel.Outcome;
import dev.coppice.operations.Given;
import dev.coppice.operations.removal.RemovalOperations;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.wire.Patience;
import dev.coppice.wire.Shape;
import dev.coppice.wire.removal.Choices;
import dev.coppice.wire.removal.PlanView;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.wire.removal.RemoveByFlags;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Translates deletions to removals, and their answers back. */
public final class DeletionOperations implements Face {
    private final Operation<RemovalCalls.Plan, PlanView> planning;
    private final Operation<RemoveByFlags, DeletionAnswer> deletion;

    public DeletionOperations(Ground ground) {
        this.planning = ground.removals().planning();
        this.deletion = ground.removals().byFlags(DeletionCalls.DELETE, new Form());
    }

    @Override
    public List<Operation<?, ?>> operations() {
        return List.of(Operation.of(DeletionCalls.PLAN, Need.READ, this::plan), deletion);
    }

    private static final class Form implements RemovalOperations.Form<DeletionAnswer> {
        @Override
        public DeletionAnswer of(PlanView plan) {
            return new DeletionAnswer.Planned(plan);
        }

        @Override
        public DeletionAnswer of(RemovalView.Whole removal) {
            return DeletionView.of(removal);
        }

        @Override
        public @Nullable String removal(DeletionAnswer answer) {
            return answer instanceof DeletionView begun ? begun.removalId() : null;
        }
    }

    /** Takes the choices in either form; rejects both at once. */
    private Outcome<PlanView> plan(Context x, DeletionCalls.Plan in) {
        var choices = in.choices();
        var flags = in.flags();
        if (!flags.isAnySent()) {
            var plan = new RemovalCalls.Plan(in.sessionId(), choices, flags.reason());
            return planning.action().on(x, plan);
        }
        for (var part : Shape.of(Choices.class).parts()) {
            var given = part.of(choices);
            if (given instanceof Enum<?> word && !word.equals(part.of(Choices.CAREFUL))) {
                var rule = "omitted if booleans of the original are sent";
                throw Given.bad(part.name(), Shape.word(word), rule);
            }
        }
        var dry =
                new RemoveByFlags(
                        in.sessionId(), flags, null, choices.deadline(), Patience.NONE, true);
        return deletion.action().on(x, dry).map(DeletionOperations::planned);
    }

    private static PlanView planned(DeletionAnswer answer) {
        return switch (answer) {
            case DeletionAnswer.Planned(var plan) -> plan;
            case DeletionView _ -> throw new IllegalStateException("a dry run has removed");
        };
    }
}
