package dev.coppice.view;

import dev.coppice.alert.Alert;
import dev.coppice.wire.session.AlertCalls.AlertView;

/** Alerts as callers and receivers see them. */
public final class AlertViews {
    private AlertViews() {}

    public static AlertView of(Alert alert) {
        var delivery = alert.delivery();
        return new AlertView(
                alert.id(),
                Views.word(alert.kind()),
                alert.session().value(),
                alert.sessionName(),
                alert.reason(),
                alert.raised().toString(),
                Views.word(delivery.state()),
                delivery.tries(),
                delivery.error());
    }
}
