package dev.coppice.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.removal.Removal;
import dev.coppice.removal.TreeRows;
import dev.coppice.removal.TreeRows.Row;
import dev.coppice.removal.TreeRows.Table;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A backup may come from anyone: a restore changes only the pairs of the sessions it brings. */
class RestoredPairsTest {
    private static final Session TOP = Given.root("top");
    private static final Session LIVE = Given.root("live");
    private static final Session CHILD = Given.child(LIVE, "child");
    private static final Session OTHER = Given.root("other");
    private static final Removal RESTORE = Given.restoring(TOP);

    private static Row pair(String parent, String child, String type) {
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("session_id", "top");
        fields.put("parent_id", parent);
        fields.put("child_id", child);
        fields.put("type", type);
        fields.put("evidence", "declared");
        fields.put("confidence", 1L);
        fields.put("created_at", 7L);
        return new Row(fields);
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void only_pairs_of_restored_sessions_change(Stores stores) {
        List<Row> session;
        try (var opened = Stores.SQLITE.open(_ -> {})) {
            var store = opened.store();
            session =
                    store.transactions()
                            .write(() -> {
                                var ended = new SessionState.Finished(Given.T, "done");
                                store.sessions().add(Given.in(TOP, ended));
                                return store.treeRows()
                                        .page(
                                                new TreeRows.Of(TOP.id(), null),
                                                Table.SESSIONS,
                                                TreeRows.At.START,
                                                9)
                                        .rows();
                            });
        }
        var opened = stores.open(_ -> {});
        var store = opened.store();
        var pairs =
                store.transactions()
                        .write(() -> {
                            for (var s : List.of(LIVE, CHILD, OTHER)) store.sessions().add(s);
                            store.removals().addRestoring(RESTORE);
                            store.treeRows().put(RESTORE.id(), Table.SESSIONS, session);
                            store.treeRows()
                                    .put(
                                            RESTORE.id(),
                                            Table.RELATIONSHIPS,
                                            List.of(
                                                    pair("live", "child", "sibling"),
                                                    pair("other", "live", "continuation"),
                                                    pair("top", "live", "parent/child"),
                                                    pair("top", "other", "sibling"),
                                                    pair("top", "gone", "sibling")));
                            return Tx.call(
                                            Sql.of(
                                                    "select parent_id || ' ' || child_id || ' ' ||"
                                                            + " type from relationship order by 1"))
                                    .list(row -> row.text(1));
                        });
        assertThat(pairs).containsExactly("live child parent/child", "top other sibling");
        opened.closing().run();
    }
}
