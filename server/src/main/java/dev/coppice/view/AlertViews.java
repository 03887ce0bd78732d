package dev.coppice.view;

import dev.coppice.alert.Alert;
import dev.coppice.alert.Alert.Delivery;
import dev.coppice.alert.Alert.State;
import dev.coppice.wire.look.AlertCalls.AlertView;
import dev.coppice.wire.look.AlertCalls.DeliveryView;

import java.util.Comparator;
import java.util.Optional;

/** Alerts as callers and receivers see them. */
public final class AlertViews {
    private AlertViews() {}

    public static AlertView of(Alert alert) {
        var worst = worst(alert);
        return new AlertView(
                alert.id(),
                Views.word(alert.kind()),
                alert.session().value(),
                alert.sessionName(),
                alert.reason(),
                alert.raised().toString(),
                worst.map(d -> Views.word(d.state())).orElse("unsent"),
                worst.map(Delivery::tries).orElse(0),
                worst.map(Delivery::error).orElse(null),
                alert.deliveries().stream().map(AlertViews::of).toList());
    }

    /** The delivery in the worst state. */
    private static Optional<Delivery> worst(Alert alert) {
        return alert.deliveries().stream().max(Comparator.comparingInt(d -> rank(d.state())));
    }

    private static int rank(State state) {
        return switch (state) {
            case DELIVERED -> 0;
            case DUE -> 1;
            case DEAD -> 2;
        };
    }

    private static DeliveryView of(Delivery delivery) {
        return new DeliveryView(
                delivery.channel(),
                Views.word(delivery.state()),
                delivery.tries(),
                delivery.error());
    }
}
