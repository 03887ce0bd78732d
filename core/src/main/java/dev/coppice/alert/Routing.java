package dev.coppice.alert;

import dev.coppice.alert.Alert.Delivery;
import dev.coppice.alert.Alerts.Cause;
import dev.coppice.word.AlertKind;

import java.util.List;
import java.util.function.Predicate;

/** The rules that choose the channels of an alert, and the times of its deliveries. */
public interface Routing {
    /**
     * The deliveries of an alert, one for each channel. {@code isBelow} is true if its session is
     * the named one or below it.
     */
    List<Delivery> deliveries(Cause cause, Predicate<String> isBelow);

    /** True if a rule sends alerts of this kind, so that the search is worth its cost. */
    boolean wants(AlertKind kind);
}
