package dev.coppice.held;

import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RestoreTree;
import dev.coppice.removal.TreeRows;
import dev.coppice.run.Run;
import dev.coppice.session.Session;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Rows in memory: a row is the session or the run itself, without dependent rows. Complete backups
 * and restores are tested on real databases.
 */
public final class HeldTreeRows implements TreeRows {
    private static final String HELD = "held";
    private final HeldStore store;

    public HeldTreeRows(HeldStore store) {
        this.store = store;
    }

    public static Row row(Session session) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put(HELD, session);
        return new Row(fields);
    }

    public static Row row(Run run) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put(HELD, run);
        return new Row(fields);
    }

    /** The content of a backup file with these sessions and without runs. */
    public static RestoreTree.FileContents fileContents(List<RestoreTree.Named> sessions) {
        return new RestoreTree.FileContents() {
            @Override
            public void each(Consumer<RestoreTree.Named> look) {
                sessions.forEach(look);
            }

            @Override
            public void eachRun(Consumer<String> look) {}
        };
    }

    @Override
    public List<Table> tables() {
        return List.of(Table.SESSIONS, Table.RUNS);
    }

    @Override
    public Page page(Of of, Table table, At after, int max) {
        return new Page(List.of(), null);
    }

    /** Pairs are not held. */
    @Override
    public void continues(SessionId copied, SessionId copy, Instant at) {}

    @Override
    public boolean hasRun(String id) {
        return store.runs().find(new RunId(id)).isPresent();
    }

    @Override
    public void put(RemovalId into, Table table, List<Row> rows) {
        for (var row : rows) {
            if (row.fields().get(HELD) instanceof Session session) {
                store.removals().bringIn(into, session);
            }
            if (row.fields().get(HELD) instanceof Run run) store.runs().add(run);
        }
    }
}
