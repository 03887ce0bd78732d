package dev.coppice.store.removal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.held.HeldInventory;
import dev.coppice.removal.Inventory.Leftover;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.store.Given;
import dev.coppice.store.SqlStore;
import dev.coppice.store.Stores;
import dev.coppice.store.schema.Databases;
import dev.coppice.store.schema.Tables;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Each query finds the flaw it looks for. A query without a flaw in this test fails. */
class InventoryTest {
    private static final Session PLAN = Given.root("plan");
    private static final Session DRAFT = Given.child(PLAN, "draft");
    private static final Map<String, Flaw> FLAWS = flaws();

    /** Queries for flaws that the store in memory cannot have. */
    private static final Set<String> IMPOSSIBLE_IN_MEMORY =
            Set.of(
                    "callback rows whose session does not exist",
                    "removal rows whose session does not exist",
                    "removal_detached rows whose session does not exist",
                    "tree_stop_member rows whose session does not exist",
                    "visible sessions with a lent name",
                    "trees with a wrong count of bytes",
                    "states with a wrong count of rows",
                    "models with a wrong sum of uses",
                    "sessions with a wrong count of living children",
                    "sessions that are not paired with their parent",
                    "child_join_member rows whose child_join does not exist",
                    "tree_stop_member rows whose tree_stop does not exist",
                    "removal_member rows whose removal does not exist",
                    "removal_detached rows whose removal does not exist",
                    "task_place rows whose task does not exist",
                    "task_run rows whose task does not exist",
                    "work_item rows whose task does not exist");

    private interface Flaw {
        void in(Planting rows) throws SQLException;
    }

    private static Map<String, Flaw> flaws() {
        var flaws = new LinkedHashMap<String, Flaw>();
        ofSessions(flaws);
        ofRemovals(flaws);
        ofNames(flaws);
        var tables = Tables.current();
        for (var table : tables.names()) {
            for (var column : tables.columns(table)) {
                var reference = column.reference();
                if (reference == null || reference.condition() != null) continue;
                flaws.put(
                        "%s rows whose %s does not exist"
                                .formatted(table.replace("any_", ""), column.name()),
                        rows -> rows.add(table, column.name() + " = 99"));
            }
        }
        flaws.put(
                "trees with a wrong count of bytes",
                rows -> rows.change("update tree_bytes set output = 5"));
        flaws.put(
                "states with a wrong count of rows",
                rows -> rows.change("update tally set total = 7 where kind = 'session'"));
        flaws.put(
                "models with a wrong sum of uses",
                rows -> rows.add("model_tally", "model = 'm'", "calls = 1", "input = 2"));
        return flaws;
    }

    private static void ofSessions(Map<String, Flaw> flaws) {
        flaws.put("sessions that are not placed below their parent", of("draft", "depth = 7"));
        flaws.put("root sessions with another root", of("plan", "root = 99"));
        flaws.put(
                "sessions covered by a removal that is over",
                rows -> {
                    rows.add("removal", "key = 5", "state = 'undone'");
                    of("plan", "removal = 5").in(rows);
                });
        flaws.put("visible sessions with a lent name", of("plan", "lent_name = 'x'"));
        flaws.put(
                "sessions that are not paired with their parent",
                rows -> rows.change("update relationship set set_aside = 1"));
        flaws.put(
                "sessions with a wrong count of living children",
                of("plan", "living_children = 3"));
    }

    private static void ofRemovals(Map<String, Flaw> flaws) {
        flaws.put(
                "open callbacks to purged sessions",
                rows -> rows.add("callback", "session = null", "state = 'owed'"));
        flaws.put(
                "callbacks carried by no live run",
                rows -> rows.add("callback", "state = 'carried'", "carrier = 'run_9'"));
        flaws.put(
                "open removals without their session",
                rows -> rows.add("removal", "state = 'hidden'", "session = null"));
        flaws.put(
                "live runs of hidden sessions",
                rows -> {
                    rows.add("removal", "key = 5", "state = 'hidden'", "out_of_sight = 1");
                    of("draft", "removal = 5").in(rows);
                    rows.add(
                            "run",
                            "session = (select key from any_session where id = 'draft')",
                            "ended_at = null");
                });
        flaws.put(
                "sessions that their purged removal left behind",
                rows -> {
                    rows.add("removal", "key = 5", "state = 'purged'", "began_at = 9000000000000");
                    rows.add("removal_member", "removal = 5", "session_id = 'draft'");
                });
    }

    private static void ofNames(Map<String, Flaw> flaws) {
        var plan = "session = (select key from any_session where id = 'plan')";
        flaws.put(
                "run rows whose runner does not exist",
                rows -> rows.add("run", plan, "ended_at = null", "runner = 'run_9'"));
        flaws.put(
                "callback rows whose join_id does not exist",
                rows -> rows.add("callback", plan, "state = 'owed'", "join_id = 'join_9'"));
        flaws.put(
                "callback rows whose child_id does not exist",
                rows -> rows.add("callback", plan, "state = 'owed'", "child_id = 'ses_9'"));
        flaws.put(
                "child_join_member rows whose child_id does not exist",
                rows -> {
                    rows.add("child_join", "key = 5", plan, "ended_at = null");
                    rows.add("child_join_member", "child_join = 5", "child_id = 'ses_9'");
                });
    }

    private static Flaw of(String session, String change) {
        return rows ->
                rows.change("update any_session set %s where id = '%s'".formatted(change, session));
    }

    /** Writes with foreign keys and check constraints turned off. */
    private record Planting(Connection connection) {
        void change(String sql) throws SQLException {
            try (var statement = connection.createStatement()) {
                statement.execute("pragma foreign_keys = off");
                statement.execute("pragma ignore_check_constraints = on");
                statement.execute(sql);
            }
        }

        /**
         * Inserts a row with these values, and placeholders in the other columns that are not null.
         */
        void add(String table, String... values) throws SQLException {
            var row = new LinkedHashMap<String, String>();
            try (var statement = connection.createStatement();
                    var columns =
                            statement.executeQuery(
                                    "select name, type from pragma_table_info('%s') where \"notnull\" = 1"
                                            .formatted(table))) {
                while (columns.next()) {
                    boolean number = "integer".equalsIgnoreCase(columns.getString(2));
                    row.put(columns.getString(1), number ? "99" : "'x'");
                }
            }
            for (var value : values) {
                var parts = value.split(" = ", 2);
                row.put(parts[0], parts[1]);
            }
            change(
                    "insert into %s (%s) values (%s)"
                            .formatted(
                                    table,
                                    String.join(", ", row.keySet()),
                                    String.join(", ", row.values())));
        }
    }

    static Set<String> questions() {
        return SqlInventory.asked();
    }

    @Test
    void every_query_has_a_flaw_to_find() {
        assertThat(FLAWS.keySet()).containsExactlyInAnyOrderElementsOf(questions());
    }

    /** Every query runs on the store in memory too, unless such a flaw is impossible there. */
    @Test
    void the_store_in_memory_has_the_same_queries() {
        assertThat(questions())
                .containsAll(HeldInventory.asked())
                .containsAll(IMPOSSIBLE_IN_MEMORY);
        assertThat(HeldInventory.asked()).doesNotContainAnyElementsOf(IMPOSSIBLE_IN_MEMORY);
        // A table that this store does not have cannot dangle there.
        var derived = Tables.current().danglingReferences().keySet();
        assertThat(questions())
                .filteredOn(question -> !derived.contains(question))
                .allMatch(question ->
                        HeldInventory.asked().contains(question)
                                || IMPOSSIBLE_IN_MEMORY.contains(question));
    }

    @ParameterizedTest
    @MethodSource("questions")
    void every_flaw_is_found(String question) throws SQLException {
        var file = Stores.file();
        assertThat(leftovers(file, List.of(PLAN, DRAFT))).as("before").isEmpty();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            Objects.requireNonNull(FLAWS.get(question)).in(new Planting(connection));
        }
        assertThat(leftovers(file, List.of())).contains(question);
    }

    /** Adds the sessions, then returns the names of the queries that find something. */
    private static Set<String> leftovers(Path file, List<Session> born) {
        var database = Databases.sqlite(file, InstantSource.system(), _ -> {});
        try {
            var store = SqlStore.on(database);
            return store.transactions()
                    .write(() -> {
                        var over = new SessionState.Finished(Given.T, "done");
                        for (var s : born) store.sessions().add(Given.in(s, over));
                        return store.inventory().leftovers().stream()
                                .map(Leftover::what)
                                .collect(Collectors.toSet());
                    });
        } finally {
            database.close();
        }
    }
}
