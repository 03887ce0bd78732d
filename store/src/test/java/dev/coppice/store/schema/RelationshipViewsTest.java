package dev.coppice.store.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.journal.Fact;
import dev.coppice.kernel.JsonText;
import dev.coppice.removal.Choices;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RemovalState;
import dev.coppice.session.Limits;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.store.Given;
import dev.coppice.store.SqlStore;
import dev.coppice.store.Stores;
import dev.coppice.store.engine.Database;
import dev.coppice.wiring.Store;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The queries of the relationship schema, as they are written there, on a database of ours. */
class RelationshipViewsTest {
    private static final Session MAIN = Given.root("main-session-001");
    private static final Session PLAN = Given.child(MAIN, "plan");
    private static final Session BUILD = Given.child(MAIN, "build");
    private static final Session CHECK = Given.child(BUILD, "check");
    private static final long T = Given.T.toEpochMilli();

    /** A database with a tree of three levels. */
    private record Filled(Database database, Store store, String url) implements AutoCloseable {
        static Filled of(Stores kind) throws SQLException {
            var file = Stores.file();
            var url = kind == Stores.SQLITE ? "jdbc:sqlite:" + file : Stores.url();
            var clock = InstantSource.system();
            var database =
                    kind == Stores.SQLITE
                            ? Databases.sqlite(file, clock, _ -> {})
                            : Databases.postgres(url, Duration.ZERO, clock, _ -> {});
            var filled = new Filled(database, SqlStore.on(database), url);
            filled.fill();
            return filled;
        }

        private void fill() throws SQLException {
            store.transactions()
                    .writeInBackground(() -> {
                        store.sessions().add(Given.in(MAIN, new SessionState.Running(Given.T)));
                        store.sessions()
                                .add(Given.in(PLAN, new SessionState.Finished(after(5), "done")));
                        store.sessions()
                                .add(Given.in(BUILD, new SessionState.TimedOut(after(7), "late")));
                        store.sessions().add(Given.in(CHECK, new SessionState.Running(Given.T)));
                        for (var s : List.of(MAIN, PLAN, BUILD, CHECK)) {
                            var said = new Fact.Reported("PreToolUse", new JsonText("{\"a\":1}"));
                            store.journal().append(s.id(), null, said, after(2));
                        }
                        return 0;
                    });
            change("update event set wave = 'wave-001' where session_id in ('plan', 'build')");
        }

        private static java.time.Instant after(long millis) {
            return Given.T.plusMillis(millis);
        }

        void change(String sql) throws SQLException {
            try (var connection = DriverManager.getConnection(url);
                    var statement = connection.createStatement()) {
                if (url.startsWith("jdbc:sqlite:")) statement.execute("pragma foreign_keys = on");
                statement.execute(sql);
            }
        }

        /** The rows of a query as texts, its parameters being these numbers. */
        List<String> rows(String sql, long... parameters) throws SQLException {
            try (var connection = DriverManager.getConnection(url)) {
                return RelationshipViewsTest.rows(connection, sql, parameters);
            }
        }

        @Override
        public void close() {
            database.close();
        }
    }

    private static List<String> rows(Connection connection, String sql, long... parameters)
            throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) statement.setLong(i + 1, parameters[i]);
            try (var rows = statement.executeQuery()) {
                var found = new ArrayList<String>();
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    var values = new ArrayList<String>();
                    for (int i = 1; i <= columns; i++) values.add(rows.getString(i));
                    found.add(
                            values.stream().map(String::valueOf).collect(Collectors.joining("|")));
                }
                return found;
            }
        }
    }

    /** The statements of one section of the schema's queries. */
    static List<String> queries(String section) throws IOException {
        try (var in =
                Objects.requireNonNull(
                        RelationshipViewsTest.class.getResourceAsStream(
                                "/relationship-queries.sql"))) {
            var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            var part = text.split("-- section: " + section + "\n", 2)[1];
            var own = part.split("-- section: ", 2)[0].replaceAll("--[^\n]*", "");
            return Arrays.stream(own.split(";"))
                    .map(String::strip)
                    .filter(q -> !q.isEmpty())
                    .toList();
        }
    }

    static String query(String section) throws IOException {
        return queries(section).getFirst();
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void children_and_descendants(Stores kind) throws Exception {
        try (var filled = Filled.of(kind)) {
            var children = queries("children");
            assertThat(filled.rows(children.get(0)))
                    .containsExactlyInAnyOrder(
                            "plan|parent/child|null|completed", "build|parent/child|null|timeout");
            assertThat(filled.rows(children.get(1)))
                    .containsExactlyInAnyOrder(
                            "plan|main-session-001|1|main-session-001.plan",
                            "build|main-session-001|1|main-session-001.build",
                            "check|build|2|main-session-001.build.check");
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void timeline_waves_and_spawn_delays(Stores kind) throws Exception {
        try (var filled = Filled.of(kind)) {
            assertThat(filled.rows(query("timeline"), T, T + 2))
                    .containsExactlyInAnyOrder(
                            (T + 2) + "|main-session-001|null|0|PreToolUse|main|null|null",
                            (T + 2)
                                    + "|plan|main-session-001|1|PreToolUse|subagent|parent/child|null",
                            (T + 2)
                                    + "|build|main-session-001|1|PreToolUse|subagent|parent/child|null",
                            (T + 2) + "|check|build|2|PreToolUse|subagent|parent/child|null");
            assertThat(filled.rows(query("timeline"), T + 3, T + 9)).isEmpty();
            assertThat(filled.rows(query("waves")))
                    .containsExactly("wave-001|2|%1$d|%1$d|2".formatted(T + 2));
            assertThat(filled.rows(query("spawn-delays"), T))
                    .containsExactlyInAnyOrder(
                            "main-session-001|main|plan|subagent|null|null|0|5",
                            "main-session-001|main|build|subagent|null|null|0|7",
                            "build|subagent|check|subagent|null|null|0|null");
        }
    }

    /** PostgreSQL refuses it in any schema: it selects columns by which it does not group. */
    @Test
    void performance_on_sqlite() throws Exception {
        try (var filled = Filled.of(Stores.SQLITE)) {
            filled.change(
                    "insert into spent values ((select key from session where id = 'plan'),"
                            + " 70, 0, 0, 70, 0, 0)");
            assertThat(filled.rows(query("performance"), T))
                    .containsExactlyInAnyOrder(
                            "main-session-001|main|null|2|0|1|null",
                            "plan|subagent|5|0|70|1|1",
                            "build|subagent|7|1|0|1|1",
                            "check|subagent|null|0|0|1|2");
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void validation_finds_nothing(Stores kind) throws Exception {
        try (var filled = Filled.of(kind)) {
            var checks = queries("validation");
            assertThat(filled.rows(checks.get(0))).containsExactly("0");
            assertThat(filled.rows(checks.get(1))).containsExactly("0");
            assertThat(filled.rows(checks.get(2))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void a_moved_session_has_its_new_parent_and_path(Stores kind) throws Exception {
        try (var filled = Filled.of(kind)) {
            var pairs =
                    "select parent_session_id, child_session_id, depth_level, session_path"
                            + " from session_relationships order by session_path";
            var store = filled.store();
            store.transactions()
                    .write(() -> {
                        store.sessions().detach(BUILD.id(), Limits.NONE);
                        return 0;
                    });
            assertThat(filled.rows(pairs))
                    .containsExactly(
                            "build|check|1|build.check",
                            "main-session-001|plan|1|main-session-001.plan");
            store.transactions()
                    .write(() -> {
                        store.sessions().attach(BUILD.id(), PLAN.id(), Limits.NONE);
                        return 0;
                    });
            assertThat(filled.rows(pairs))
                    .containsExactly(
                            "main-session-001|plan|1|main-session-001.plan",
                            "plan|build|2|main-session-001.plan.build",
                            "build|check|3|main-session-001.plan.build.check");
            store.transactions()
                    .write(() -> {
                        store.sessions().detach(BUILD.id(), Limits.NONE);
                        store.sessions().attach(BUILD.id(), MAIN.id(), Limits.NONE);
                        return 0;
                    });
            assertThat(filled.rows("select count(*) from session_relationships"))
                    .containsExactly("3");
        }
    }

    /** Events come late, with the times of their senders; a pair may be declared afterwards. */
    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void a_pair_never_ends_before_it_began(Stores kind) throws Exception {
        try (var filled = Filled.of(kind)) {
            filled.change("update any_session set ended_at = created_at - 10 where id = 'plan'");
            filled.change(
                    "insert into relationship (parent_id, child_id, type, created_at, completed_at)"
                            + " values ('plan', 'build', 'sibling', %d, %d)"
                                    .formatted(T + 50, T + 40));
            assertThat(
                            filled.rows(
                                    "select parent_session_id, child_session_id, completed_at -"
                                            + " created_at from session_relationships"
                                            + " order by parent_session_id, child_session_id"))
                    .containsExactly(
                            "build|check|null",
                            "main-session-001|build|7",
                            "main-session-001|plan|0",
                            "plan|build|0");
        }
    }

    @ParameterizedTest
    @EnumSource(names = "MEMORY", mode = EnumSource.Mode.EXCLUDE)
    void hidden_and_deleted_sessions_are_not_shown(Stores kind) throws Exception {
        var counts =
                "select (select count(*) from sessions), (select count(*) from events),"
                        + " (select count(*) from session_relationships)";
        var hiding =
                new Removal(
                        new RemovalId("rem_1"),
                        new Removal.Top(BUILD.id(), BUILD.name(), null),
                        Choices.CAREFUL,
                        new Removal.Order("tester", null, true, null),
                        new Removal.Taken(2, 0, 2, 0),
                        "digest",
                        new RemovalState.Hiding(Given.T),
                        new Removal.Times(Given.T, null, null, null),
                        null);
        try (var filled = Filled.of(kind)) {
            filled.store()
                    .transactions()
                    .write(() -> {
                        filled.store().removals().add(hiding);
                        return 0;
                    });
            filled.change(
                    "update any_session set removal = (select key from removal)"
                            + " where id in ('build', 'check')");
            assertThat(filled.rows(counts)).containsExactly("2|2|1");
            filled.change("delete from any_session where id = 'check'");
            filled.change("delete from any_session where id = 'build'");
            filled.change("delete from removal");
            assertThat(filled.rows(counts)).containsExactly("2|2|1");
            assertThat(filled.rows("select count(*) from relationship")).containsExactly("1");
        }
    }

    /** The program of Debian 12 is older than our library; the views use nothing newer. */
    @Test
    void the_sqlite_program_runs_them_beside_the_coordinator() throws Exception {
        var program = Path.of("/usr/bin/sqlite3");
        Assumptions.assumeTrue(Files.isExecutable(program), "needs " + program);
        try (var filled = Filled.of(Stores.SQLITE)) {
            var script =
                    new StringBuilder(".parameter set ?1 0\n.parameter set ?2 9000000000000\n");
            for (var section :
                    List.of("children", "timeline", "waves", "performance", "spawn-delays")) {
                for (var sql : queries(section)) script.append(sql).append(";\n");
            }
            var file = filled.url().substring("jdbc:sqlite:".length());
            var process =
                    new ProcessBuilder(program.toString(), "-bail", file)
                            .redirectErrorStream(true)
                            .start();
            try (var in = process.outputWriter()) {
                in.write(script.toString());
            }
            var printed =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(printed).isZero();
            assertThat(printed).contains("plan|parent/child||completed", "wave-001|2|");
        }
    }
}
