package dev.coppice.store.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.removal.Removal;
import dev.coppice.removal.TreeRows;
import dev.coppice.removal.TreeRows.Table;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.store.Given;
import dev.coppice.store.SqlStore;
import dev.coppice.store.Stores;
import dev.coppice.store.engine.Sql;
import dev.coppice.store.engine.Tx;
import dev.coppice.store.removal.SqlTreeRows;
import dev.coppice.wiring.Store;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A backup that was written before a column was renamed can be restored. */
class BackupNamesTest {
    private static final String RENAME =
            "alter table run rename column account to quota_account;\n";
    private static final Tables RENAMED =
            new Tables(Stream.concat(Migrations.neutral(), Stream.of(RENAME)));
    private static final Session TOP = Given.root("top");
    private static final Removal RESTORE = Given.restoring(TOP);

    private static Map<Table, List<TreeRows.Row>> backup() {
        try (var database = Databases.sqlite(Stores.file(), InstantSource.system(), _ -> {})) {
            var store = SqlStore.on(database);
            return store.transactions()
                    .write(() -> {
                        store.sessions()
                                .add(Given.in(TOP, new SessionState.Finished(Given.T, "done")));
                        store.runs().add(Given.run("run_1", TOP));
                        var of = new TreeRows.Of(TOP.id(), null);
                        return Map.of(
                                Table.SESSIONS, rows(store, of, Table.SESSIONS),
                                Table.RUNS, rows(store, of, Table.RUNS));
                    });
        }
    }

    private static List<TreeRows.Row> rows(Store store, TreeRows.Of of, Table table) {
        return store.treeRows().page(of, table, TreeRows.At.START, 10).rows();
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void a_renamed_column_is_restored_from_an_older_backup(Stores stores) throws SQLException {
        var backup = backup();
        var file = Stores.file();
        var url = stores == Stores.SQLITE ? "jdbc:sqlite:" + file : Stores.url();
        try (var database =
                stores == Stores.SQLITE
                        ? Databases.sqlite(file, InstantSource.system(), _ -> {})
                        : Databases.postgres(url, Duration.ZERO, InstantSource.system(), _ -> {})) {
            try (var connection = DriverManager.getConnection(url);
                    var statement = connection.createStatement()) {
                statement.execute(RENAME);
            }
            var restored = new SqlTreeRows(database.dialect(), RENAMED);
            var found =
                    database.write(() -> {
                        SqlStore.on(database).removals().addRestoring(RESTORE);
                        for (var table : List.of(Table.SESSIONS, Table.RUNS)) {
                            restored.put(
                                    RESTORE.id(), table, backup.getOrDefault(table, List.of()));
                        }
                        return Tx.call(Sql.of("select quota_account from run where id = 'run_1'"))
                                .list(row -> row.text(1));
                    });
            assertThat(found).containsExactly("team");
        }
    }

    @Test
    void dropped_columns_and_renamed_tables_are_followed() {
        var tables =
                new Tables(
                        Stream.of(
                                """
                                create table one (
                                    key integer primary key autoincrement,
                                    a text not null, -- backup
                                    b integer references one (key) -- restored
                                );
                                """,
                                """
                                alter table one add column c integer; -- backup
                                alter table one drop column b;
                                alter table one rename to other;
                                """));
        assertThat(tables.names()).containsExactly("other");
        assertThat(tables.backedUp("other", "r")).isEqualTo("r.a as a, r.c as c");
    }
}
