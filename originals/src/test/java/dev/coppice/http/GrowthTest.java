package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.access.Role;
import dev.coppice.boot.Coordinator;
import dev.coppice.boot.SettingsReader;
import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Temporary;
import dev.coppice.store.Steps;
import dev.coppice.store.engine.Trail;
import dev.coppice.web.Route;
import dev.coppice.wire.Method;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A request costs the same in a large database as in a small one. */
class GrowthTest {
    /** A full page of every list. */
    private static final int FEW = 100;

    private static final int MANY = 10_000;

    /** The steps that sweeps may take beside the cheapest of some tries. */
    private static final long BESIDE = 5_000;

    /** These look at everything; a person or a report asks for them. */
    private static final Set<String> LOOK_AT_EVERYTHING =
            Set.of(
                    "/fsck",
                    "/storage",
                    "/audit/export",
                    "/audit/verify",
                    // Passes over each session whose parent is alive.
                    "/orphans",
                    // Reports of the originals: over a bounded number of the newest events.
                    "/api/agents/tools/usage",
                    "/api/hooks/coverage",
                    "/events/correlated",
                    // Over all pairs, and over all sessions.
                    "/api/analytics/relationships",
                    "/api/relationships/stats",
                    "/events/filter-options");

    /** These wait for what comes. */
    private static final Set<String> WAIT =
            Set.of(
                    "/awaited-sessions",
                    "/mcp",
                    "/runner/runs",
                    "/sse/changes",
                    "/sse/sessions",
                    "/stream");

    /** Asks for a page where the list is whole without a limit, and for what is settled, too. */
    private static final Map<String, String> ASKED =
            Map.of(
                    "/runs", "/runs?limit=" + FEW,
                    "/sessions", "/sessions?limit=" + FEW,
                    "/asks", "/asks?all=true");

    private static final String SESSIONS =
            """
            insert into any_session (
                key, id, name, type, root, tree, trail, depth, path, state, reason, since,
                created_at, started_at, ended_at, metadata, on_parent_end)
            values (?1, 's' || ?1, 'name' || ?1, 'main', ?1, ?1, ?2, 0, 'name' || ?1, 'finished',
                'done', ?1, ?1, ?1, ?1, '{}', 'keep')
            """;

    private static final List<String> OTHERS =
            List.of(
                    """
                    insert into run (
                        id, session, tree, type, mode, definition, parameters, scope, demand_tags,
                        state, reason, since, queued_at, ended_at, unmatched_at)
                    select 'run_' || key, key, tree, 'start_session', 'sync', '{}', '{}', '{}', '',
                        'finished', 'done', 1, 1, 1, 1
                    from any_session
                    """,
                    """
                    insert into callback (
                        id, session, session_id, tree, about, body, when_busy, state, since,
                        carrier, created_at)
                    select 'cb_' || key, key, id, tree, 'message', 'text', 'queue', 'delivered', 1,
                        'run_' || key, 1
                    from any_session
                    """,
                    """
                    insert into alert (id, session, session_name, kind, cause, raised_at)
                    select 'alert_' || key, key, name, 'failed', 'failed:1', 1 from any_session
                    """,
                    """
                    insert into model_use (
                        session, main, message, model, input, output, cache_read, cache_write,
                        cache_write_hour, cost_micros, source, at)
                    select key, key, 'message_' || key, 'model', 1, 1, 1, 1, 1, 1, 'log', 1
                    from any_session
                    """,
                    """
                    insert into event (session, tree, type, at, body, session_id, sent_at)
                    select key, tree, '*Stop', key, '{"payload":{}}', id, key from any_session
                    """,
                    // The sweeps count as having read these events.
                    "update event_indexed set number = (select max(number) from event)",
                    "update event_alerted set number = (select max(number) from event)",
                    "update event_exported set number = (select max(number) from event)",
                    """
                    insert into ask (
                        id, session, event, tool, subject, asked_at, until_at, otherwise, state,
                        settled_by, settled_at)
                    select 'ask_' || key, key, key, 'Bash', 'ls', 1, 2, 'deny', 'allowed', 'me', 2
                    from any_session
                    """,
                    """
                    insert into standing_answer (
                        id, session, pattern, verdict, made_by, made_at, until_at)
                    select 'std_' || key, key, 'Bash', 'allow', 'me', 1, 2 from any_session
                    """,
                    """
                    insert into outside_process (session, host, pid, program, consent)
                    select key, 'h', key, 'claude', 'watch' from any_session
                    """,
                    """
                    insert into wave (id, name, session, parameters, created_at)
                    select 'wave_' || key, 'wave', key, '{}', 1 from any_session
                    """,
                    """
                    insert into relationship (parent_id, child_id, type, created_at)
                    select 's' || key, 's' || (key + 1), 'sibling', 1 from any_session
                    where key < (select max(key) from any_session)
                    """,
                    """
                    insert into audit (
                        number, at, who, who_right, act, session_id, allowed, previous, hash)
                    select key, 1, 'me', 'admin', 'freeze', id, 1, '', 'hash' || key
                    from any_session
                    """,
                    """
                    insert into removal (
                        id, top_id, top_name, children, running, critical, purge, unreachable,
                        deadline_ms, work, backup, ignored, directories, asked_by, confirmed,
                        digest, sessions, runs, events, event_bytes, state, since, tries,
                        out_of_sight, began_at, ended_at)
                    select 'rem_' || key, 'gone' || key, 'gone' || key, 'cascade', 'stop',
                        'refuse', 'now', 'wait', 1, 'preserve', 'yes', 'list', 'made', 'me', 0,
                        '', 1, 1, 1, 1, 'purged', 1, 0, 1, 1, 1
                    from any_session
                    """);

    @Test
    void no_list_and_no_look_grows_with_the_database() throws Exception {
        var few = measured(FEW);
        var many = measured(MANY);
        assertThat(few.keySet())
                .contains("admin /metrics", "agent /sessions", "admin /removal-candidates");
        var grown = new TreeMap<String, String>();
        few.forEach((path, steps) -> {
            long more = many.getOrDefault(path, 0L);
            if (more > 2 * steps + BESIDE) grown.put(path, steps + " steps, then " + more);
        });
        assertThat(grown).isEmpty();
    }

    @Test
    void the_requests_that_are_left_out_exist() {
        try (var server = Product.caller()) {
            assertThat(server.coordinator().routes().stream().map(Route::path))
                    .containsAll(LOOK_AT_EVERYTHING)
                    .containsAll(WAIT);
        }
    }

    /** The callers, each of which asks in another way. */
    private static final Map<String, dev.coppice.access.Caller> CALLERS =
            Map.of(
                    "admin", dev.coppice.access.Caller.as(Role.ADMIN),
                    "agent", dev.coppice.access.Caller.agent(new SessionId("s1")));

    /** The names of what {@link #fill} has stored for the first session. */
    private static String filled(String path) {
        return path.replace("{session_id}", "s1")
                .replace("{run_id}", "run_1")
                .replace("{callback_id}", "cb_1")
                .replace("{wave_id}", "wave_1")
                .replace("{removal_id}", "rem_1")
                .replace("{ask_id}", "ask_1")
                .replace("/by-name/{name}", "/by-name/name1")
                .replace("{name}", "none")
                .replace("{report}", "children?session_id=s1");
    }

    private static Map<String, Long> measured(int sessions) throws Exception {
        var data = Temporary.directory("coppice-growth").toAbsolutePath().normalize();
        var steps = Steps.of(data.resolve("coppice.db"));
        var environment = Map.of("COPPICE_DATA", data.toString(), "COPPICE_PORT", "0");
        var measured = new TreeMap<String, Long>();
        try (var coordinator =
                        Coordinator.start(new SettingsReader(environment).read(), Product.faces());
                var client = HttpClient.newHttpClient()) {
            fill(data, sessions);
            for (var who : CALLERS.entrySet()) {
                var token = coordinator.token(who.getValue());
                for (var route : coordinator.routes()) {
                    var path = filled(route.path());
                    boolean isLeftOut = LOOK_AT_EVERYTHING.contains(path) || WAIT.contains(path);
                    if (route.method() != Method.GET || isLeftOut || path.contains("{")) continue;
                    var asked = ASKED.getOrDefault(path, path);
                    var request =
                            HttpRequest.newBuilder(URI.create(coordinator.url() + asked))
                                    .header("Authorization", "Bearer " + token)
                                    .build();
                    var name = who.getKey() + " " + path;
                    measured.put(name, steps.during(() -> send(client, request)));
                }
            }
        }
        return measured;
    }

    private static void send(HttpClient client, HttpRequest request) {
        try {
            var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            var said = request.uri() + " " + answer.body();
            assertThat(answer.statusCode()).as(said).isNotIn(500, 503);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Writes ended sessions, each a tree of its own with a run and what belongs to it. */
    private static void fill(Path data, int sessions) throws SQLException {
        var file = "jdbc:sqlite:" + data.resolve("coppice.db");
        try (var connection = DriverManager.getConnection(file)) {
            connection.setAutoCommit(false);
            try (var each = connection.prepareStatement(SESSIONS)) {
                for (int key = 1; key <= sessions; key++) add(each, key);
                int[] _ = each.executeBatch();
            }
            for (var sql : OTHERS) execute(connection, sql);
            connection.commit();
        }
    }

    private static void add(PreparedStatement each, long key) throws SQLException {
        each.setLong(1, key);
        each.setString(2, Trail.of("", key));
        each.addBatch();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
