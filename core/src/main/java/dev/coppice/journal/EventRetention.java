package dev.coppice.journal;

import dev.coppice.kernel.Transactions;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Deletes the entries of a type, or of all types, that are older than a time, a small part at a
 * time. Each pass begins where the last one ended. Once an hour a pass begins with the oldest
 * entry, because entries of live trees were kept before.
 */
public final class EventRetention {
    private static final int ENTRIES_AT_ONCE = 2_000;
    private static final Duration WHOLE_PASS = Duration.ofHours(1);

    private final Rule rule;
    private final Transactions transactions;
    private final Journal journal;
    private final InstantSource clock;

    private long reached;
    private Instant nextWholePass = Instant.MIN;

    public EventRetention(
            Rule rule, Transactions transactions, Journal journal, InstantSource clock) {
        this.rule = rule;
        this.transactions = transactions;
        this.journal = journal;
        this.clock = clock;
    }

    /** The time for which entries of some types are kept. */
    public record Rule(Journal.Types types, Duration keep) {}

    /** Deletes some entries; returns 1 if there may be more. Not thread-safe. */
    public int sweep() {
        var now = clock.instant();
        if (!now.isBefore(nextWholePass)) {
            reached = 0;
            nextWholePass = now.plus(WHOLE_PASS);
        }
        var due = new Journal.Due(rule.types(), reached, now.minus(rule.keep()), ENTRIES_AT_ONCE);
        var forgotten = transactions.writeInBackground(() -> journal.forget(due));
        if (forgotten.upTo() == 0) return 0;
        reached = forgotten.upTo();
        return 1;
    }
}
