package dev.coppice.store.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Eventually;
import dev.coppice.session.Limits;
import dev.coppice.store.Given;
import dev.coppice.store.SqlStore;
import dev.coppice.store.Stores;
import dev.coppice.store.engine.Database;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** The plan of each condition that the page names, and of each query of the schema. */
class RelationshipPlansTest {
    private static final int TREES = 8;
    private static final int CHILDREN = 49;
    private static final String EVENTS =
            """
            insert into event (session, tree, type, at, body, session_id, sent_at, wave)
            with recursive n (k) as (
                select 1 union all select k + 1 from n where k < 20000)
            select s.key, s.tree,
                case n.k % 3 when 0 then '*PreToolUse' when 1 then '*Stop' else 'run_started' end,
                n.k, '{"payload":{}}', s.id, case when n.k % 2 = 0 then n.k end,
                case when n.k % 100 = 0 then 'wave-00' || (n.k / 100 % 9) end
            from n join any_session s on s.key = 1 + n.k % 400
            """;
    private static final Path PAGE =
            Path.of(System.getProperty("coppice.root", "..")).resolve("docs/queries.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)`(.*?) \\| (`[^;|]*`)");
    private static final Pattern COLUMN = Pattern.compile("`(\\w+)`");

    /** A scan of one of our tables by PostgreSQL, and the line below it. */
    private static final Pattern POSTGRES_SCAN =
            Pattern.compile("(.*Scan.* on (?:event|any_session|relationship)\\b.*)\n(.*)");

    /** A database with some trees and many events. */
    private record Filled(Stores kind, String url) {
        static Filled of(Stores kind) throws SQLException {
            var url = kind == Stores.SQLITE ? "jdbc:sqlite:" + Stores.file() : Stores.url();
            var filled = new Filled(kind, url);
            try (var database = filled.open()) {
                var store = SqlStore.on(database);
                store.transactions()
                        .write(() -> {
                            for (int tree = 1; tree <= TREES; tree++) {
                                var root = Given.root("main-session-00" + tree);
                                store.sessions().add(root);
                                for (int i = 1; i <= CHILDREN; i++) {
                                    var name = "child-%d-%d".formatted(tree, i);
                                    store.sessions().add(Given.child(root, name));
                                }
                            }
                            return 0;
                        });
            }
            filled.change(EVENTS);
            filled.analyze();
            return filled;
        }

        Database open() {
            var clock = InstantSource.system();
            return kind == Stores.SQLITE
                    ? Databases.sqlite(file(), clock, _ -> {})
                    : Databases.postgres(url, Duration.ZERO, clock, _ -> {});
        }

        Schema schema() {
            var clock = InstantSource.system();
            return kind == Stores.SQLITE
                    ? Schema.sqlite(file(), clock)
                    : Schema.postgres(url, clock);
        }

        private Path file() {
            return Path.of(url.substring("jdbc:sqlite:".length()));
        }

        void addAll() throws SQLException {
            maintain(schema -> {
                for (var index : ExtraIndex.values()) schema.addIndex(index);
            });
            analyze();
        }

        /** PostgreSQL ends a closed connection a moment later, and refuses a change beside it. */
        private void maintain(Consumer<Schema> work) {
            var refused = new AtomicReference<>("");
            Eventually.await(
                    () -> {
                        try (var schema = schema()) {
                            work.accept(schema);
                            return true;
                        } catch (Schema.Refused e) {
                            refused.set(String.valueOf(e.getMessage()));
                            return false;
                        }
                    },
                    refused::get);
        }

        private void analyze() throws SQLException {
            if (kind == Stores.POSTGRES) change("analyze");
        }

        private void change(String sql) throws SQLException {
            try (var connection = DriverManager.getConnection(url);
                    var statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }

        String value(String sql) throws SQLException {
            try (var connection = DriverManager.getConnection(url);
                    var statement = connection.createStatement();
                    var rows = statement.executeQuery(sql)) {
                rows.next();
                return String.valueOf(rows.getString(1));
            }
        }

        /** The steps of the plan that read a whole table of ours. */
        List<String> scans(String sql) throws SQLException {
            try (var connection = DriverManager.getConnection(url)) {
                var plan = plan(connection, sql.replace("?", "1"));
                return kind == Stores.SQLITE ? sqliteScans(plan) : postgresScans(plan);
            }
        }

        String plan(String sql) throws SQLException {
            try (var connection = DriverManager.getConnection(url)) {
                return String.join("\n", plan(connection, sql));
            }
        }

        private List<String> plan(Connection connection, String sql) throws SQLException {
            try (var statement = connection.createStatement()) {
                if (kind == Stores.POSTGRES) {
                    // It reads a small table even if an index serves: ask whether one does.
                    for (var way : List.of("seqscan", "hashjoin", "mergejoin")) {
                        statement.execute("set enable_%s = off".formatted(way));
                    }
                }
                var explain = kind == Stores.SQLITE ? "explain query plan " : "explain ";
                try (var rows = statement.executeQuery(explain + sql)) {
                    var steps = new ArrayList<String>();
                    int column = kind == Stores.SQLITE ? rows.findColumn("detail") : 1;
                    while (rows.next()) steps.add(rows.getString(column));
                    return steps;
                }
            }
        }
    }

    private static List<String> sqliteScans(List<String> plan) {
        return plan.stream()
                .filter(step -> step.startsWith("SCAN") || step.contains("AUTOMATIC"))
                .filter(step -> !step.startsWith("SCAN sh"))
                .filter(step -> !step.startsWith("SCAN session_hierarchy"))
                .toList();
    }

    /** The index of waves holds only events of waves, so reading all of it reads no other. */
    private static List<String> postgresScans(List<String> plan) {
        return POSTGRES_SCAN
                .matcher(String.join("\n", plan))
                .results()
                .filter(found -> !found.group(1).contains("event_wave"))
                .filter(found -> !found.group(2).matches(" *(Index|Recheck) Cond: .*"))
                .map(found -> found.group(1).strip())
                .toList();
    }

    /** The conditions that the page promises an index for: in its table, or in the added rows. */
    private static List<String> conditions(String added) throws IOException {
        var conditions = new ArrayList<String>();
        var row = ROW.matcher(Files.readString(PAGE).split("## Indexes", 2)[1]);
        while (row.find()) {
            if (!row.group(2).equals(added)) continue;
            COLUMN.matcher(row.group(3))
                    .results()
                    .map(column ->
                            "select * from %s where %s = '1'"
                                    .formatted(row.group(1), column.group(1)))
                    .forEach(conditions::add);
        }
        return conditions;
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void each_condition_that_the_page_names_uses_an_index(Stores kind) throws Exception {
        var filled = Filled.of(kind);
        var conditions = conditions("");
        assertThat(conditions).hasSize(15);
        for (var sql : conditions) assertThat(filled.scans(sql)).as(sql).isEmpty();
        var added = conditions(", once added");
        assertThat(added).hasSize(3);
        for (var sql : added) assertThat(filled.scans(sql)).as(sql).isNotEmpty();
        filled.addAll();
        for (var sql : added) assertThat(filled.scans(sql)).as(sql).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void the_queries_of_the_schema_use_the_indexes(Stores kind) throws Exception {
        var filled = Filled.of(kind);
        var asked = new ArrayList<>(RelationshipViewsTest.queries("children"));
        asked.add(RelationshipViewsTest.query("timeline"));
        asked.add(RelationshipViewsTest.query("waves"));
        for (var plan : RelationshipViewsTest.queries("plans")) {
            asked.add(plan.replaceFirst("EXPLAIN QUERY PLAN", ""));
        }
        for (var sql : asked) assertThat(filled.scans(sql)).as(sql).isEmpty();
        filled.addAll();
        for (var sql : asked) assertThat(filled.scans(sql)).as(sql).isEmpty();
    }

    /** SQLite reads the sessions or the pairs, with the schema's own tables as well; no events. */
    @Test
    void the_queries_by_start_read_no_event_that_they_do_not_count() throws Exception {
        var filled = Filled.of(Stores.SQLITE);
        assertThat(filled.scans(RelationshipViewsTest.query("performance")))
                .allMatch(step -> step.startsWith("SCAN s "));
        assertThat(filled.scans(RelationshipViewsTest.query("spawn-delays")))
                .allMatch(step -> step.equals("SCAN r"));
        assertThat(Filled.of(Stores.POSTGRES).scans(RelationshipViewsTest.query("spawn-delays")))
                .allMatch(step -> step.contains(" on relationship r "));
    }

    /** Ninety-seven milliseconds went into all pairs of the type, for the children of one. */
    @Test
    void two_conditions_use_an_index_of_both() throws Exception {
        var filled = Filled.of(Stores.SQLITE);
        filled.addAll();
        var pairs =
                "select * from session_relationships where parent_session_id = 'main-session-001'"
                        + " and relationship_type = 'parent/child'";
        assertThat(filled.plan(pairs)).contains("relationship_type (type=? AND parent_id=?)");
        var wave = "select * from events where wave_id = 'wave-001' and timestamp > 5";
        assertThat(filled.plan(wave)).contains("event_wave (wave=? AND <expr>>?)");
        var level =
                "select * from events where session_depth = 1 and hook_event_type = 'PreToolUse'";
        assertThat(filled.plan(level)).contains("event_depth (depth=? AND <expr>=?)");
        var postgres = Filled.of(Stores.POSTGRES);
        postgres.addAll();
        assertThat(postgres.plan(pairs)).contains("relationship_type", "AND (parent_id = ");
        assertThat(postgres.plan(wave)).contains("event_wave");
        assertThat(postgres.plan(level)).contains("event_depth");
        for (var sql : List.of(pairs, wave, level)) {
            assertThat(postgres.scans(sql)).as(sql).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void an_added_index_finds_the_events_of_a_session_that_moved(Stores kind) throws Exception {
        var filled = Filled.of(kind);
        var below = "select count(*) from events where parent_session_id = 'main-session-00%d'";
        var ofChild =
                "select count(*) from events where session_id = 'child-1-1' and session_depth = 1"
                        + " and parent_session_id = 'main-session-00%d'";
        var before = filled.value(below.formatted(1));
        filled.addAll();
        assertThat(filled.value(below.formatted(1))).isEqualTo(before).isNotEqualTo("0");
        try (var database = filled.open()) {
            var store = SqlStore.on(database);
            var child = new SessionId("child-1-1");
            store.transactions()
                    .write(() -> {
                        store.sessions().detach(child, Limits.NONE);
                        var parent = new SessionId("main-session-002");
                        store.sessions().attach(child, parent, Limits.NONE);
                        return 0;
                    });
        }
        filled.change(EVENTS.replace("20000", "400"));
        assertThat(filled.value(ofChild.formatted(1))).isEqualTo("0");
        assertThat(filled.value(ofChild.formatted(2))).isEqualTo("51");
        filled.maintain(schema -> {
            for (var index : ExtraIndex.values()) schema.dropIndex(index);
            assertThat(schema.indexes()).isEmpty();
            assertThat(schema.verify()).isEmpty();
        });
        assertThat(filled.value(ofChild.formatted(2))).isEqualTo("51");
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void a_parent_is_named_in_the_session_wherever_it_moves(Stores kind) throws Exception {
        var filled = Filled.of(kind);
        var parent = "select parent_session_id from sessions where session_id = 'child-1-1'";
        assertThat(filled.value(parent)).isEqualTo("main-session-001");
        try (var database = filled.open()) {
            var store = SqlStore.on(database);
            var child = new SessionId("child-1-1");
            store.transactions()
                    .write(() -> {
                        store.sessions().detach(child, Limits.NONE);
                        return 0;
                    });
            assertThat(filled.value(parent)).isEqualTo("null");
            store.transactions()
                    .write(() -> {
                        store.sessions().attach(child, new SessionId("child-2-1"), Limits.NONE);
                        return 0;
                    });
        }
        assertThat(filled.value(parent)).isEqualTo("child-2-1");
    }

    @Test
    void a_rollback_drops_added_indexes_and_says_so() throws Exception {
        var filled = Filled.of(Stores.SQLITE);
        filled.addAll();
        try (var schema = filled.schema()) {
            var rolledBack = schema.rollback(Objects.requireNonNull(filled.file().getParent()));
            assertThat(rolledBack.lost()).contains("the index on events.session_depth");
            assertThatThrownBy(() -> schema.addIndex(ExtraIndex.SESSION_DEPTH))
                    .isInstanceOf(Schema.Refused.class)
                    .hasMessageContaining("coppice db migrate");
            assertThat(schema.migrate()).isOne();
            assertThat(schema.verify()).isEmpty();
        }
    }
}
