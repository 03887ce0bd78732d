package dev.coppice.store;

import dev.coppice.kernel.Transactions;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The stored times at which leases, claims, retries and stops are due. After the clock was set
 * back, each would come late by as much, so they are moved back, too. A time that was stored a
 * moment ago, or before the clock went forward, may then come early, which does no harm here. Other
 * times, such as the end of the undo window or the deadline of a join, are not moved: they may come
 * late, but must not come early.
 */
public final class Timers {
    /** A column, and the condition under which its time is pending. */
    record Timer(String table, String column, String when) {
        private Timer(String table, String column) {
            this(table, column, "true");
        }

        private int moveBack(Instant now, Duration by) {
            var sql =
                    "update %s set %s = %s - :by where %s > :now and %s"
                            .formatted(table, column, column, column, when);
            return Tx.call(Sql.of(sql)).set("now", now).set("by", by.toMillis()).update();
        }
    }

    static final List<Timer> ALL =
            List.of(
                    new Timer("run", "lease_until"),
                    new Timer("run", "deadline"),
                    new Timer("run", "waiting_until"),
                    new Timer("run", "heard_at", "ended_at is null"),
                    new Timer("any_session", "deadline"),
                    new Timer("account_hold", "until_at"),
                    new Timer("callback", "due"),
                    new Timer("removal", "next_try_at"),
                    new Timer("removal", "since", "ended_at is null"),
                    new Timer("wave_plan", "since", "state = 'started'"),
                    new Timer("task", "taken_at", "ended_at is null"),
                    new Timer("task", "ended_at", "failure is not null"),
                    new Timer("alert_delivery", "due_at"),
                    new Timer("runner", "seen_at"));

    private static final Sql NEWEST =
            Sql.of("select seen_at from runner order by seen_at desc limit 1");

    private final Transactions transactions;

    public Timers(Transactions transactions) {
        this.transactions = transactions;
    }

    /** The last time a runner was seen; it is in the future if the clock was set back. */
    public Optional<Instant> newest() {
        return transactions.read(() -> Tx.call(NEWEST).first(row -> row.instant("seen_at")));
    }

    /** Returns how many times were moved, in one write, because none may be moved twice. */
    public int moveBack(Instant now, Duration by) {
        return transactions.write(
                () -> ALL.stream().mapToInt(timer -> timer.moveBack(now, by)).sum());
    }
}
