package dev.coppice.fleet;

import dev.coppice.journal.Fact;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Ports;
import dev.coppice.run.Ports.LifecycleListener;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.session.Session;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/**
 * A circuit breaker per account. When a run fails because its account has hit a limit, further runs
 * on that account wait instead of failing the same way. After the wait one trial run may start. If
 * it finishes, the others may start, too; if it hits the limit again, the wait doubles.
 */
public final class Breaker implements LifecycleListener {
    private static final Duration WAIT_MAX = Duration.ofMinutes(30);
    private static final int DOUBLINGS_MAX = 10;
    private final AccountHolds holds;
    private final Duration firstWait;

    public Breaker(AccountHolds holds, Duration firstWait) {
        this.holds = holds;
        this.firstWait = firstWait;
    }

    @Override
    public void runEnded(Ports ports, Run run) {
        var account = run.task().terms().account();
        if (account == null) return;
        switch (run.state()) {
            case RunState.Failed(var at, var reason, _) -> {
                if (Quota.isMet(reason)) hold(ports, run, account, reason, at);
            }
            case RunState.Finished _ -> {
                if (isTrial(run, account)) letAllThrough(ports, account);
            }
            default -> {}
        }
        // The next trial run may start.
        if (holds.find(account).isPresent()) ports.signals().raise(new Topic.WorkWaits());
    }

    private void hold(Ports ports, Run run, String account, String reason, Instant at) {
        var before = holds.find(account);
        // A failure during a hold tells nothing new: the run started before it.
        if (before.isPresent() && before.get().until().isAfter(at)) return;
        int failures = before.map(AccountHold::failures).orElse(0) + 1;
        var wait = firstWait.multipliedBy(1L << Math.min(failures - 1, DOUBLINGS_MAX));
        var until = at.plus(wait.compareTo(WAIT_MAX) < 0 ? wait : WAIT_MAX);
        holds.save(new AccountHold(account, until, failures, reason));
        ports.journal()
                .append(
                        run.session(),
                        run.id(),
                        new Fact.AccountHeld(account, until.toString(), failures),
                        at);
    }

    /** True if the run started after the wait; an earlier one proves nothing about the limit. */
    private boolean isTrial(Run run, String account) {
        var started = run.marks().started();
        var hold = holds.find(account);
        return started != null && hold.isPresent() && !started.isBefore(hold.get().until());
    }

    /** Ends the hold early, because a caller knows that the account works again. */
    public void release(Ports ports, String account) {
        ports.transactions()
                .write(() -> {
                    letAllThrough(ports, account);
                    return account;
                });
    }

    private void letAllThrough(Ports ports, String account) {
        if (holds.find(account).isEmpty()) return;
        holds.remove(account);
        ports.signals().raise(new Topic.WorkWaits());
    }

    /** True if runs on this account may be claimed now. */
    boolean letsThrough(Ports ports, @Nullable String account) {
        if (account == null) return true;
        var hold = holds.find(account);
        if (hold.isEmpty()) return true;
        return !hold.get().until().isAfter(ports.clock().instant())
                && ports.runs().countAtWorkOn(account) == 0;
    }

    @Override
    public void stopAsked(Ports ports, Session session) {}

    @Override
    public void sessionEnded(Ports ports, Session session) {}
}
