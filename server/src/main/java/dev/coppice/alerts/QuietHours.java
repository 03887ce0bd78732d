package dev.coppice.alerts;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;

/** The time of each day at which nobody wants to be disturbed. It may go past midnight. */
public record QuietHours(LocalTime from, LocalTime to, ZoneId zone) {
    /** The end of the quiet hours that this moment is in; the moment itself outside of them. */
    public Instant after(Instant moment) {
        var local = moment.atZone(zone);
        var time = local.toLocalTime();
        boolean isOverNight = to.isBefore(from);
        boolean isQuiet =
                isOverNight
                        ? !time.isBefore(from) || time.isBefore(to)
                        : !time.isBefore(from) && time.isBefore(to);
        if (!isQuiet) return moment;
        var day = local.toLocalDate();
        boolean isTomorrow = isOverNight && !time.isBefore(from);
        return (isTomorrow ? day.plusDays(1) : day).atTime(to).atZone(zone).toInstant();
    }
}
