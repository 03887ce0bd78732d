package dev.coppice.originals.foreign;

import dev.coppice.originals.foreign.ForeignDatabase.Kind;

import org.jspecify.annotations.Nullable;

import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Map;

/**
 * The times at which a session of an original system was created, first worked, was resumed and
 * ended. The coordinator stored only the first and the third: the others follow from what its runs
 * and events say.
 */
final class ForeignTimes {
    private final long created;
    private final @Nullable Long resumed;
    private @Nullable Long started;
    private @Nullable Long firstEvent;
    private boolean hasRuns;
    private long ended;

    private ForeignTimes(long created, @Nullable Long resumed) {
        this.created = created;
        this.resumed = resumed;
        this.ended = resumed == null ? created : Math.max(created, resumed);
    }

    static ForeignTimes of(
            ForeignDatabase database, String session, Map<String, @Nullable Object> row) {
        return database.kind() == Kind.COORDINATOR
                ? coordinated(database, session, row)
                : observed(database, session, row);
    }

    static long createdOf(Map<String, @Nullable Object> row) {
        return time(row, "created_at", time(row, "start_time", 0));
    }

    private static ForeignTimes coordinated(
            ForeignDatabase database, String session, Map<String, @Nullable Object> row) {
        var resumed = timeOrNull(row, "last_resumed_at");
        var times = new ForeignTimes(createdOf(row), resumed);
        database.runs(session, times::ran);
        database.eventTimes(session, times::happened);
        // Coordinators without runs stored the start as an event.
        if (!times.hasRuns) times.started = times.firstEvent;
        return times;
    }

    private static ForeignTimes observed(
            ForeignDatabase database, String session, Map<String, @Nullable Object> row) {
        var times = new ForeignTimes(createdOf(row), null);
        var started = timeOrNull(row, "start_time");
        times.started = started;
        if (started != null) times.ended = started;
        var ended = timeOrNull(row, "end_time");
        if (ended == null) database.eventTimes(session, times::happened);
        else times.ended = ended;
        return times;
    }

    private void ran(Map<String, @Nullable Object> run) {
        hasRuns = true;
        for (var column : new String[] {"created_at", "claimed_at", "started_at", "completed_at"}) {
            reach(timeOrNull(run, column));
        }
        var at = timeOrNull(run, "started_at");
        if (at != null && (started == null || at < started)) started = at;
    }

    private void happened(Map<String, @Nullable Object> event) {
        var at = timeOrNull(event, "timestamp");
        reach(at);
        if (at != null && (firstEvent == null || at < firstEvent)) firstEvent = at;
    }

    private void reach(@Nullable Long at) {
        if (at != null) ended = Math.max(ended, at);
    }

    long created() {
        return created;
    }

    @Nullable Long started() {
        return started;
    }

    @Nullable Long resumed() {
        return resumed;
    }

    long ended() {
        return ended;
    }

    static long time(Map<String, @Nullable Object> row, String column, long absent) {
        var read = timeOrNull(row, column);
        return read == null ? absent : read;
    }

    /** Reads milliseconds, or a text with or without an offset; without, it means UTC. */
    static @Nullable Long timeOrNull(Map<String, @Nullable Object> row, String column) {
        var value = row.get(column);
        if (value instanceof Number number) return number.longValue();
        if (value == null) return null;
        var text = value.toString().replace(' ', 'T');
        try {
            var read =
                    DateTimeFormatter.ISO_DATE_TIME.parseBest(
                            text, OffsetDateTime::from, LocalDateTime::from);
            return read instanceof OffsetDateTime at
                    ? at.toInstant().toEpochMilli()
                    : ((LocalDateTime) read).toInstant(ZoneOffset.UTC).toEpochMilli();
        } catch (DateTimeParseException _) {
            return null;
        }
    }
}
