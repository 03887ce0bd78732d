package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.originals.foreign.ForeignDatabase;
import dev.coppice.originals.foreign.ForeignTrees;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Row by row, a database of each original system is the same after its import. */
class ImportedRowsTest {
    private static final String OBSERVED =
            """
            create table sessions (session_id text primary key, source_app text not null,
                session_type text default 'main', parent_session_id text,
                start_time integer not null, end_time integer, duration_ms integer,
                status text default 'active', agent_count integer default 0,
                total_tokens integer default 0, session_metadata text,
                created_at integer not null, updated_at integer not null);
            create table session_relationships (id integer primary key autoincrement,
                parent_session_id text not null, child_session_id text not null,
                relationship_type text default 'parent/child', spawn_reason text,
                delegation_type text, spawn_metadata text, created_at integer not null,
                completed_at integer, depth_level integer default 1, session_path text,
                unique (parent_session_id, child_session_id));
            create table events (id integer primary key autoincrement, source_app text,
                session_id text, hook_event_type text, payload text, chat text, summary text,
                timestamp integer, parent_session_id text, session_depth integer, wave_id text,
                delegation_context text);
            insert into sessions values
                ('m', 'app', 'main', null, 1767261600000, 1767261700000, 100000, 'completed', 3,
                    70, '{"p":1}', 1767261600000, 1),
                ('a', 'app', 'subagent', 'm', 1767261610000, 1767261620000, 10000, 'failed', 0,
                    20, '{"p":2}', 1767261610000, 1),
                ('w', 'app', 'wave', 'm', 1767261612000, 1767261622000, 10000, 'timeout', 0, 0,
                    '{"p":3}', 1767261612000, 1),
                ('c', 'app', 'continuation', 'm', 1767261630000, 1767261640000, 10000,
                    'cancelled', 0, 0, '{"p":4}', 1767261630000, 1),
                ('r', 'app', 'main', null, 1767261650000, 1767261660000, 10000, 'completed', 0, 0,
                    '{"p":5}', 1767261650000, 1);
            insert into session_relationships (parent_session_id, child_session_id,
                    relationship_type, spawn_reason, delegation_type, spawn_metadata, created_at,
                    completed_at, depth_level, session_path) values
                ('m', 'a', 'parent/child', 'task_tool', 'parallel', '{"task":"x"}',
                    1767261610000, 1767261620000, 1, 'm.a'),
                ('m', 'w', 'wave_member', 'wave_orchestration', 'isolated', '{"phase":1}',
                    1767261612000, 1767261622000, 1, 'm.w'),
                ('m', 'c', 'continuation', 'continuation', 'sequential', null,
                    1767261630000, 1767261640000, 1, 'm.c'),
                ('a', 'w', 'sibling', 'manual', 'parallel', '{"together":true}',
                    1767261612000, 1767261622000, 1, null),
                ('c', 'r', 'continuation', 'continuation', null, null,
                    1767261650000, 1767261660000, 0, null);
            insert into events (source_app, session_id, hook_event_type, payload, chat, summary,
                    timestamp, parent_session_id, session_depth, wave_id, delegation_context)
                values
                ('app', 'm', 'PreToolUse', '{"tool_name":"Task"}', '[{"type":"user"}]', '[1]',
                    1767261605000, null, 0, null, null),
                ('app', 'w', 'PreToolUse', '{"tool_name":"Read"}', null, null,
                    1767261613000, 'm', 1, 'wave-1', '{"strategy":"fast"}');
            """;

    /** A pair without a row of its child, and pairs that the tree contradicts. */
    private static final String ODD =
            """
            insert into session_relationships (parent_session_id, child_session_id,
                    relationship_type, spawn_reason, created_at, completed_at, session_path) values
                ('a', 'ghost', 'parent/child', 'subagent_delegation', 1767261611000,
                    1767261619000, 'm.a.ghost'),
                ('r', 'a', 'parent/child', 'task_tool', 1767261650000, null, 'r.a'),
                ('gone', 'w', 'sibling', null, 1767261650000, null, null),
                ('m', 'r', 'friend', 'boredom', 1767261650000, null, null);
            """;

    private static final String COORDINATOR =
            """
            create table sessions (session_id text primary key, status text not null,
                created_at text not null, project_dir text, agent_name text, last_resumed_at text,
                parent_session_id text, executor_session_id text, executor_profile text,
                hostname text);
            create table runs (run_id text primary key, session_id text not null,
                type text not null, agent_name text, parameters text not null, project_dir text,
                parent_session_id text, execution_mode text default 'sync', demands text,
                status text default 'pending', runner_id text, error text, created_at text not null,
                claimed_at text, started_at text, completed_at text, timeout_at text, scope text,
                resolved_agent_blueprint text);
            create table events (id integer primary key autoincrement, session_id text not null,
                event_type text not null, timestamp text not null, content text, result_text text,
                result_data text);
            insert into sessions values
                ('s', 'finished', '2026-01-01T10:00:00+00:00', '/p', 'planner',
                    '2026-01-01T10:00:40+00:00', null, 'exec-1', 'claude-code', 'h'),
                ('k', 'failed', '2026-01-01T10:00:05+00:00', null, null, null, 's', null, null,
                    null);
            insert into runs values
                ('run_1', 's', 'start_session', 'planner', '{"prompt":"x"}', '/p', null, 'sync',
                    '{"hostname":"h","project_dir":"/p","executor_profile":"claude-code",\
            "executor_type":"autonomous","tags":["a","b"]}', 'completed', 'lnch_1', null,
                    '2026-01-01T10:00:00+00:00', '2026-01-01T10:00:01+00:00',
                    '2026-01-01T10:00:02+00:00', '2026-01-01T10:00:30+00:00',
                    '2026-01-01T10:05:00+00:00', null, null),
                ('run_2', 'k', 'start_session', null, '{"prompt":"y"}', null, 's',
                    'async_callback', null, 'failed', 'lnch_1', 'no such model',
                    '2026-01-01T10:00:05+00:00', '2026-01-01T10:00:06+00:00',
                    '2026-01-01T10:00:07+00:00', '2026-01-01T10:00:09+00:00', null, null, null);
            insert into events (session_id, event_type, timestamp, content, result_text,
                    result_data) values
                ('s', 'message', '2026-01-01T10:00:50+00:00', '[{"text":"hi"}]', null, null),
                ('s', 'result', '2026-01-01T10:00:51+00:00', null, 'done', '{"n":1}'),
                ('lost', 'result', '2026-01-01T10:00:51+00:00', null, 'x', null);
            """;
    private static final String HOOKS =
            """
            create table events (id integer primary key autoincrement, source_app text not null,
                session_id text not null, hook_event_type text not null, payload text not null,
                chat text, summary text, timestamp integer not null, humanInTheLoop text,
                humanInTheLoopStatus text, model_name text);
            create table themes (id text primary key, name text not null);
            insert into themes values ('t', 'dark');
            insert into events (source_app, session_id, hook_event_type, payload, chat, summary,
                    timestamp, humanInTheLoop, humanInTheLoopStatus, model_name) values
                ('demo', 'hs-1', 'SessionStart', '{"source":"startup"}', null, null,
                    1767261600000, null, null, 'opus'),
                ('demo', 'hs-1', 'PreToolUse', '{"tool_name":"Bash"}', '[{"type":"user"}]', 'lists',
                    1767261601000, '{"question":"Go?","type":"permission"}',
                    '{"status":"responded","respondedAt":1767261602000,"response":{"permission":true}}',
                    'opus'),
                ('demo', 'hs-1', 'SessionEnd', '{"reason":"exit"}', null, null, 1767261609000,
                    null, null, 'opus'),
                ('other', 'hs-2', 'PreToolUse', '{"tool_name":"Read"}', null, null, 1767261603000,
                    null, null, null);
            """;
    private static final String SESSION_COLUMNS =
            "select session_id, source_app, session_type, parent_session_id, start_time, end_time,"
                    + " duration_ms, status, agent_count, total_tokens, session_metadata,"
                    + " created_at from sessions order by session_id";
    private static final String PAIR_COLUMNS =
            "select parent_session_id, child_session_id, relationship_type, spawn_reason,"
                    + " delegation_type, spawn_metadata, created_at, completed_at, depth_level,"
                    + " session_path from session_relationships"
                    + " order by parent_session_id, child_session_id";
    private static final String EVENT_COLUMNS =
            "select source_app, session_id, hook_event_type, payload, chat, summary, timestamp%s"
                    + " from events where hook_event_type in ('SessionStart', 'PreToolUse',"
                    + " 'SessionEnd') order by timestamp";

    @TempDir Path temp;

    private static List<String> rows(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            var found = new ArrayList<String>();
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                var row = new ArrayList<String>();
                for (int i = 1; i <= columns; i++) row.add(String.valueOf(rows.getString(i)));
                found.add(String.join("|", row));
            }
            return found;
        }
    }

    private static void assertSame(Caller server, Path foreign, String theirs, String ours)
            throws SQLException {
        try (var before = DriverManager.getConnection("jdbc:sqlite:" + foreign);
                var after = server.database()) {
            var expected = rows(before, theirs);
            assertThat(expected).isNotEmpty();
            assertThat(rows(after, ours)).containsExactlyElementsOf(expected);
        }
    }

    @Test
    void sessions_pairs_and_events_of_an_observability_server_are_the_same() throws Exception {
        var file = Imports.database(temp, OBSERVED);
        try (var server = Product.caller();
                var database = new ForeignDatabase(file)) {
            var trees = new ForeignTrees(database);
            assertThat(trees.omitted()).isEmpty();
            Imports.bringIn(server, trees);
            assertSame(server, file, SESSION_COLUMNS, SESSION_COLUMNS);
            assertSame(server, file, PAIR_COLUMNS, PAIR_COLUMNS);
            var events =
                    EVENT_COLUMNS.formatted(
                            ", parent_session_id, session_depth, wave_id, delegation_context");
            assertSame(server, file, events, events);
            server.assertNothingIsLeft();
        }
    }

    @Test
    void a_child_that_only_a_pair_names_is_created_and_pairs_without_a_place_are_named()
            throws Exception {
        var file = Imports.database(temp, OBSERVED + ODD);
        try (var server = Product.caller();
                var database = new ForeignDatabase(file)) {
            var trees = new ForeignTrees(database);
            assertThat(trees.omitted())
                    .containsExactly(
                            "the pair of 'r' and 'a' (parent/child): only an event, the parent of"
                                    + " 'a' is 'm'",
                            "the pair of 'gone' and 'w' (sibling): only an event, there is no"
                                    + " session 'gone'",
                            "the pair of 'm' and 'r' (friend): only an event, 'r' has no"
                                    + " parent");
            Imports.bringIn(server, trees);
            try (var after = server.database()) {
                assertThat(rows(after, PAIR_COLUMNS))
                        .hasSize(6)
                        .contains(
                                "a|ghost|parent/child|subagent_delegation|null|null|1767261611000"
                                        + "|1767261619000|2|m.a.ghost");
            }
            var ghost = server.get("/sessions/ghost").get("session");
            assertThat(text(ghost, "state")).isEqualTo("finished");
            assertThat(server.get("/sessions/r/events").toString())
                    .contains("\"relationship_type\":\"friend\"", "boredom");
        }
    }

    @Test
    void a_word_that_the_schema_does_not_know_is_named() throws Exception {
        var file =
                Imports.database(
                        temp, OBSERVED.replace("'task_tool', 'parallel'", "'whim', 'sideways'"));
        try (var database = new ForeignDatabase(file)) {
            assertThat(new ForeignTrees(database).omitted())
                    .containsExactly(
                            "the delegation_type 'sideways' of the pair of 'm' and 'a': left out,"
                                    + " it is no word of the schema",
                            "the spawn_reason 'whim' of the pair of 'm' and 'a': left out, it is"
                                    + " no word of the schema");
        }
    }

    @Test
    void runs_of_a_coordinator_are_the_same_and_its_sessions_end_with_their_work()
            throws Exception {
        var file = Imports.database(temp, COORDINATOR);
        try (var server = Product.caller();
                var database = new ForeignDatabase(file)) {
            var trees = new ForeignTrees(database);
            assertThat(trees.omitted()).containsExactly("1 row of the table 'events': left out");
            Imports.bringIn(server, trees);
            assertSame(
                    server,
                    file,
                    """
                    select run_id, session_id, type, agent_name, parameters, project_dir,
                        execution_mode, status, runner_id, error,
                        strftime('%s', created_at) * 1000, strftime('%s', claimed_at) * 1000,
                        strftime('%s', started_at) * 1000, strftime('%s', completed_at) * 1000,
                        json_extract(demands, '$.hostname'),
                        json_extract(demands, '$.project_dir'),
                        json_extract(demands, '$.executor_profile'),
                        json_extract(demands, '$.executor_type'), (
                            select coalesce(group_concat(value, ','), '')
                            from json_each(demands, '$.tags'))
                    from runs order by run_id
                    """,
                    """
                    select r.id, s.id, r.type, r.blueprint, r.parameters, r.project_dir, r.mode,
                        case r.state when 'finished' then 'completed' else r.state end, r.runner,
                        case r.state when 'failed' then r.reason end, r.queued_at, r.claimed_at,
                        r.started_at, r.ended_at, r.demand_hostname, r.demand_project_dir,
                        r.demand_executor_profile, r.demand_executor_type,
                        replace(r.demand_tags, char(10), ',')
                    from run r join any_session s on s.key = r.session order by r.id
                    """);
            assertSame(
                    server,
                    file,
                    """
                    select session_id, project_dir, agent_name, parent_session_id,
                        executor_session_id, executor_profile, hostname,
                        strftime('%s', created_at) * 1000, strftime('%s', last_resumed_at) * 1000
                    from sessions order by session_id
                    """,
                    """
                    select s.id, s.project_dir, s.blueprint, p.id, s.executor_session_id,
                        s.executor_profile, s.hostname, s.created_at, s.resumed_at
                    from any_session s left join any_session p on p.key = s.parent order by s.id
                    """);
            assertThat(server.get("/sessions/s/events").get("events").get(0).toString())
                    .contains("\"message\"", "[{\"text\":\"hi\"}]", "2026-01-01T10:00:50");
            try (var after = server.database()) {
                assertThat(
                                rows(
                                        after,
                                        "select session_id, start_time - created_at, duration_ms,"
                                                + " status from sessions order by session_id"))
                        .containsExactly("k|2000|2000|failed", "s|2000|49000|completed");
            }
            var result = server.get("/sessions/s/result");
            assertThat(text(result, "result_text")).isEqualTo("done");
            assertThat(result.get("result_data").toString()).isEqualTo("{\"n\":1}");
        }
    }

    @Test
    void a_session_of_a_hook_server_goes_on_when_its_program_sends_more() throws Exception {
        try (var server = Product.caller();
                var database = new ForeignDatabase(Imports.database(temp, HOOKS))) {
            Imports.bringIn(server, new ForeignTrees(database));
            assertThat(text(server.get("/sessions/hs-2").get("session"), "state"))
                    .isEqualTo("stopped");
            server.post(
                    "/events",
                    "{\"source_app\":\"other\",\"session_id\":\"hs-2\","
                            + "\"hook_event_type\":\"PreToolUse\",\"payload\":{}}");
            assertThat(text(server.get("/sessions/hs-2").get("session"), "state"))
                    .isEqualTo("running");
        }
    }

    @Test
    void events_of_a_hook_server_are_the_same_and_its_sessions_follow_from_them() throws Exception {
        var file = Imports.database(temp, HOOKS);
        try (var server = Product.caller();
                var database = new ForeignDatabase(file)) {
            assertThat(database.kind()).isEqualTo(ForeignDatabase.Kind.HOOK_SERVER);
            var trees = new ForeignTrees(database);
            assertThat(trees.omitted()).containsExactly("1 row of the table 'themes': left out");
            Imports.bringIn(server, trees);
            var events = EVENT_COLUMNS.formatted("");
            assertSame(server, file, events, events);
            try (var after = server.database()) {
                assertThat(
                                rows(
                                        after,
                                        "select session_id, source_app, session_type, start_time,"
                                                + " duration_ms, status from sessions"
                                                + " order by session_id"))
                        .containsExactly(
                                "hs-1|demo|main|1767261600000|9000|completed",
                                "hs-2|other|main|1767261603000|0|cancelled");
            }
            assertThat(server.get("/events/recent?limit=9").toString())
                    .contains(
                            "\"model_name\":\"opus\"",
                            "\"question\":\"Go?\"",
                            "\"status\":\"responded\"",
                            "\"permission\":true");
        }
    }
}
