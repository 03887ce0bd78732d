package dev.coppice.originals.foreign;

import dev.coppice.originals.foreign.ForeignDatabase.Kind;

import org.jspecify.annotations.Nullable;

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
        return ForeignRows.time(row, "created_at", ForeignRows.time(row, "start_time", 0));
    }

    private static ForeignTimes coordinated(
            ForeignDatabase database, String session, Map<String, @Nullable Object> row) {
        var resumed = ForeignRows.timeOrNull(row, "last_resumed_at");
        var times = new ForeignTimes(createdOf(row), resumed);
        database.runs(session, times::ran);
        database.eventTimes(session, times::happened);
        // Coordinators without runs told the start as an event.
        if (!times.hasRuns) times.started = times.firstEvent;
        return times;
    }

    private static ForeignTimes observed(
            ForeignDatabase database, String session, Map<String, @Nullable Object> row) {
        var times = new ForeignTimes(createdOf(row), null);
        var started = ForeignRows.timeOrNull(row, "start_time");
        times.started = started;
        if (started != null) times.ended = started;
        var ended = ForeignRows.timeOrNull(row, "end_time");
        if (ended == null) database.eventTimes(session, times::happened);
        else times.ended = ended;
        return times;
    }

    private void ran(Map<String, @Nullable Object> run) {
        hasRuns = true;
        for (var column : new String[] {"created_at", "claimed_at", "started_at", "completed_at"}) {
            reach(ForeignRows.timeOrNull(run, column));
        }
        var at = ForeignRows.timeOrNull(run, "started_at");
        if (at != null && (started == null || at < started)) started = at;
    }

    private void happened(Map<String, @Nullable Object> event) {
        var at = ForeignRows.timeOrNull(event, "timestamp");
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
}
