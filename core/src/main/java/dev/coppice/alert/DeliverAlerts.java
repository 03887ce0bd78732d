package dev.coppice.alert;

import dev.coppice.kernel.Transactions;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;

/**
 * Delivers alerts to their receiver, each at least once: again after a wait that doubles, until it
 * is taken or given up.
 */
public final class DeliverAlerts {
    static final int TRIES_MAX = 12;
    private static final int AT_ONCE = 20;
    private static final Duration FIRST_WAIT = Duration.ofSeconds(5);
    private static final Duration WAIT_MAX = Duration.ofHours(1);

    /** No other coordinator sends it meanwhile. */
    private static final Duration CLAIM = Duration.ofMinutes(1);

    private final Transactions transactions;
    private final Alerts alerts;
    private final Receiver receiver;
    private final InstantSource clock;

    public DeliverAlerts(
            Transactions transactions, Alerts alerts, Receiver receiver, InstantSource clock) {
        this.transactions = transactions;
        this.alerts = alerts;
        this.receiver = receiver;
        this.clock = clock;
    }

    /** Takes alerts. */
    public interface Receiver {
        /** Returns null if it was taken, else why not. */
        @Nullable String take(Alert alert);
    }

    /** Returns how many were delivered. */
    public int sweep() {
        int delivered = 0;
        for (var alert : transactions.read(() -> alerts.due(clock.instant(), AT_ONCE))) {
            if (deliver(alert)) delivered++;
        }
        return delivered;
    }

    private boolean deliver(Alert alert) {
        var before = alert.delivery();
        var claim =
                new Alert.Delivery(
                        Alert.State.DUE,
                        before.tries() + 1,
                        clock.instant().plus(CLAIM),
                        before.error());
        boolean isOurs = transactions.write(() -> alerts.save(alert, claim));
        if (!isOurs) return false;
        var error = receiver.take(alert);
        var next = error == null ? taken(claim) : refused(claim, error);
        transactions.write(() -> alerts.save(alert.with(claim), next));
        return error == null;
    }

    private static Alert.Delivery taken(Alert.Delivery claim) {
        return new Alert.Delivery(Alert.State.DELIVERED, claim.tries(), null, null);
    }

    private Alert.Delivery refused(Alert.Delivery claim, String error) {
        if (claim.tries() >= TRIES_MAX) {
            return new Alert.Delivery(Alert.State.DEAD, claim.tries(), null, error);
        }
        var wait = FIRST_WAIT.multipliedBy(1L << (claim.tries() - 1));
        var bounded = wait.compareTo(WAIT_MAX) > 0 ? WAIT_MAX : wait;
        return new Alert.Delivery(
                Alert.State.DUE, claim.tries(), clock.instant().plus(bounded), error);
    }
}
