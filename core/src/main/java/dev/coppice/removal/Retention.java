package dev.coppice.removal;

import dev.coppice.audit.Act;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Transactions;
import dev.coppice.word.Choice;
import dev.coppice.work.InspectedWork;

import java.time.Duration;
import java.time.InstantSource;

/** Removes trees in which every session ended long ago. Undo and backup work as for any removal. */
public final class Retention {
    private static final int TREES_AT_ONCE = 100;
    private static final Act.Who WHO = Act.Who.rule("retention");

    private final Transactions transactions;
    private final Removals removals;
    private final RemoveTree remove;
    private final Choices choices;
    private final InstantSource clock;

    public Retention(
            Transactions transactions,
            Removals removals,
            RemoveTree remove,
            InstantSource clock,
            Duration deadline) {
        this.transactions = transactions;
        this.removals = removals;
        this.remove = remove;
        this.clock = clock;
        this.choices = choices(deadline);
    }

    /** Overrides critical operations: messages undelivered for so long must not block a removal. */
    private static Choices choices(Duration deadline) {
        return new Choices(
                Choice.Children.CASCADE,
                Choice.Running.REFUSE,
                Choice.Critical.OVERRIDE,
                Choice.Purge.LATER,
                Choice.Unreachable.WAIT,
                deadline,
                Choices.Preservation.ALL);
    }

    /** Begins these removals; returns how many. */
    public int sweep(Duration keep) {
        var before = clock.instant().minus(keep);
        var due = transactions.read(() -> removals.endedTrees(before, TREES_AT_ONCE));
        int begun = 0;
        for (var top : due) {
            var reason = "every session in it ended more than %s ago".formatted(keep);
            var request = new RemoveTree.Request(choices, WHO, reason, null, InspectedWork.NOTHING);
            if (remove.begin(top, request) instanceof Outcome.Done<Removal>) begun++;
        }
        return begun;
    }
}
