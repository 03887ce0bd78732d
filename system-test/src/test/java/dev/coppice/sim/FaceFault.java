package dev.coppice.sim;

import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Receipts;
import dev.coppice.request.Operation;
import dev.coppice.request.Operation.Commit;
import dev.coppice.session.Sessions;

import java.util.List;
import java.util.Optional;

/** Plausible bugs of faces, planted one at a time. */
enum FaceFault {
    NONE,

    /** The readers' memory of places survives a session that is placed or detached. */
    MOVE_UNNOTICED,

    /** Every session counts as part of every tree. */
    TREE_CHECK_SKIPPED,

    /** The tail passes over an entry that is stored while it reads. */
    ENTRY_PASSED_OVER,

    /** A reader that is behind gets its last entry again. */
    READ_TWICE,

    /** Changes are prepared inside of their write. */
    PREPARED_INSIDE,

    /** A renewal counts from the time at which the writer gets to it. */
    RENEWAL_JUDGED_LATE,

    /** The answer to a request with a key is not found again. */
    RECEIPT_LOST;

    /** The journal as the tail reads it. */
    Journal over(Journal real) {
        return switch (this) {
            case MOVE_UNNOTICED ->
                    Planted.over(
                            Journal.class,
                            real,
                            "after",
                            (said, _) ->
                                    ((List<?>) said)
                                            .stream().map(e -> withoutMove((Entry) e)).toList());
            case ENTRY_PASSED_OVER ->
                    Planted.over(Journal.class, real, "after", (said, _) -> withoutOne(said));
            case READ_TWICE ->
                    Planted.instead(
                            Journal.class,
                            real,
                            "after",
                            asked ->
                                    real.after(
                                            (long) asked[0] - 1,
                                            (Journal.Scope) asked[1],
                                            (int) asked[2]));
            default -> real;
        };
    }

    private static Entry withoutMove(Entry e) {
        boolean isMove =
                e.fact() instanceof Fact.SessionAttached
                        || e.fact() instanceof Fact.SessionDetached;
        return isMove
                ? new Entry(
                        e.number(), e.at(), e.session(), e.run(), new Fact.RunStarted(), e.sentAt())
                : e;
    }

    private static Object withoutOne(Object said) {
        var entries = ((List<?>) said).stream().map(Entry.class::cast).toList();
        if (entries.size() < 2) return entries;
        long newest = entries.getLast().number();
        return entries.stream().filter(e -> e.number() != newest - 1).toList();
    }

    /** The sessions as readers look them up. */
    Sessions over(Sessions real) {
        return this == TREE_CHECK_SKIPPED
                ? Planted.over(Sessions.class, real, "isWithin", (_, _) -> true)
                : real;
    }

    Receipts over(Receipts real) {
        return this == RECEIPT_LOST
                ? Planted.over(Receipts.class, real, "find", (_, _) -> Optional.empty())
                : real;
    }

    /** The operations as the faces offer them. */
    List<Operation<?, ?>> over(List<Operation<?, ?>> real) {
        return this == PREPARED_INSIDE
                ? real.stream().<Operation<?, ?>>map(FaceFault::inside).toList()
                : real;
    }

    private static <I extends Record, O> Operation<I, O> inside(Operation<I, O> operation) {
        return operation.action() instanceof Operation.Change<I, O>
                ? operation.preparing(
                        change -> (x, in) -> Outcome.done(() -> change.on(x, in).then(Commit::now)))
                : operation;
    }
}
