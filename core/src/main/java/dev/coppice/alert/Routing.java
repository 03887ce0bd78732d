package dev.coppice.alert;

import dev.coppice.alert.Alert.Delivery;
import dev.coppice.alert.Alerts.Cause;
import dev.coppice.word.AlertKind;

import java.util.List;
import java.util.function.Predicate;

/** The rules that say who hears of what, and when. */
public interface Routing {
    /**
     * The deliveries of an alert, one for each channel. {@code isBelow} tells whether its session
     * is the named one or below it.
     */
    List<Delivery> deliveries(Cause cause, Predicate<String> isBelow);

    /** True if somebody wants to hear of such sessions at all, so that it is worth a look. */
    boolean wants(AlertKind kind);
}
