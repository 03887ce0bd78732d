package dev.coppice.alerts;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;

/** The quiet hours of each day, which may go past midnight. */
public record QuietHours(LocalTime from, LocalTime to, ZoneId zone) {
    /** The end of the quiet hours around this moment; outside of them, the moment itself. */
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
