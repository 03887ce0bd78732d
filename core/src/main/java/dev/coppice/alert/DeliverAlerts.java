package dev.coppice.alert;

import dev.coppice.alert.Alert.Delivery;
import dev.coppice.kernel.Transactions;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;

/**
 * Delivers alerts to their channels. A failed delivery is retried after a wait that doubles, until
 * it is taken or given up; an alert may arrive twice.
 */
public final class DeliverAlerts {
    static final int TRIES_MAX = 12;
    private static final int AT_ONCE = 20;
    private static final Duration FIRST_WAIT = Duration.ofSeconds(5);
    private static final Duration WAIT_MAX = Duration.ofHours(1);

    /** The time for which no other coordinator sends the alert. */
    private static final Duration CLAIM = Duration.ofMinutes(1);

    private final Transactions transactions;
    private final Alerts alerts;
    private final Channels channels;
    private final InstantSource clock;

    public DeliverAlerts(
            Transactions transactions, Alerts alerts, Channels channels, InstantSource clock) {
        this.transactions = transactions;
        this.alerts = alerts;
        this.channels = channels;
        this.clock = clock;
    }

    public interface Receiver {
        /** Returns null if the alert was taken, else the reason why not. */
        @Nullable String take(Alert alert);
    }

    /** The receivers by their names. */
    public interface Channels {
        /** Null if no channel has this name. */
        @Nullable Receiver channel(String name);
    }

    /** Returns how many were delivered. */
    public int sweep() {
        int delivered = 0;
        // A channel that is slow or gone may hold up the others only once.
        var failed = new HashSet<String>();
        for (var alert : transactions.read(() -> alerts.due(clock.instant(), AT_ONCE))) {
            var delivery = alert.deliveries().getFirst();
            if (failed.contains(delivery.channel())) continue;
            var after = deliver(alert, delivery);
            if (after == null) continue;
            if (after.state() == Alert.State.DELIVERED) delivered++;
            else failed.add(delivery.channel());
        }
        return delivered;
    }

    /** Returns null if another coordinator has claimed it: that says nothing of the channel. */
    private @Nullable Delivery deliver(Alert alert, Delivery before) {
        var until = clock.instant().plus(CLAIM);
        var claim =
                new Delivery(
                        before.channel(),
                        Alert.State.DUE,
                        before.tries() + 1,
                        until,
                        before.error());
        boolean isOurs = transactions.write(() -> alerts.save(alert, before, claim));
        if (!isOurs) return null;
        var channel = channels.channel(before.channel());
        var error = channel == null ? null : channel.take(alert);
        var next =
                channel == null
                        ? dead(claim, "no channel has this name any more")
                        : error == null ? taken(claim) : refused(claim, error);
        transactions.write(() -> alerts.save(alert, claim, next));
        return next;
    }

    private static Delivery taken(Delivery claim) {
        return new Delivery(claim.channel(), Alert.State.DELIVERED, claim.tries(), null, null);
    }

    private static Delivery dead(Delivery claim, String error) {
        return new Delivery(claim.channel(), Alert.State.DEAD, claim.tries(), null, error);
    }

    private Delivery refused(Delivery claim, String error) {
        if (claim.tries() >= TRIES_MAX) return dead(claim, error);
        var wait = FIRST_WAIT.multipliedBy(1L << (claim.tries() - 1));
        var bounded = wait.compareTo(WAIT_MAX) > 0 ? WAIT_MAX : wait;
        return new Delivery(
                claim.channel(),
                Alert.State.DUE,
                claim.tries(),
                clock.instant().plus(bounded),
                error);
    }
}
