package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.originals.foreign.ForeignDatabase;
import dev.coppice.originals.foreign.ForeignTrees;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/** Databases of the original systems are imported; orphans get their parents back. */
class ImportTest {
    private static final String COORDINATOR =
            """
            create table sessions (session_id text primary key, status text not null,
                created_at text not null, project_dir text, agent_name text, last_resumed_at text,
                parent_session_id text references sessions (session_id) on delete set null,
                executor_session_id text, executor_profile text, hostname text);
            create table runs (run_id text primary key,
                session_id text not null references sessions (session_id) on delete cascade,
                type text not null, agent_name text, parameters text not null, project_dir text,
                parent_session_id text, execution_mode text default 'sync', demands text,
                status text default 'pending', runner_id text, error text, created_at text not null,
                claimed_at text, started_at text, completed_at text, timeout_at text, scope text,
                resolved_agent_blueprint text);
            create table events (id integer primary key autoincrement,
                session_id text not null references sessions (session_id) on delete cascade,
                event_type text not null, timestamp text not null, tool_name text, tool_input text,
                tool_output text, error text, exit_code integer, reason text, role text,
                content text, result_text text, result_data text);
            insert into sessions (session_id, status, created_at) values
                ('ses_root', 'finished', '2026-01-01T10:00:00.123456+00:00'),
                ('ses_lost', 'finished', '2026-01-01T10:01:00'),
                ('ses_orphan', 'running', '2026-01-01T10:02:00Z');
            insert into sessions (session_id, status, created_at, parent_session_id) values
                ('ses_kid', 'failed', '2026-01-01T10:03:00', 'ses_root');
            insert into runs (run_id, session_id, type, parameters, parent_session_id,
                    status, created_at, completed_at)
                values ('run_1', 'ses_lost', 'start_session', '{"prompt":"x"}', 'ses_root',
                    'completed', '2026-01-01T10:01:00', '2026-01-01T10:01:30'),
                ('run_0', 'ses_orphan', 'start_session', '{"prompt":"z"}', 'ses_root',
                    'completed', '2026-01-01T10:01:50', '2026-01-01T10:01:55'),
                ('run_2', 'ses_orphan', 'start_session', '{"prompt":"y"}', 'ses_deleted',
                    'running', '2026-01-01T10:02:00', null);
            insert into events (session_id, event_type, timestamp, result_text) values
                ('ses_lost', 'result', '2026-01-01T10:01:20', 'the answer');
            insert into events (session_id, event_type, timestamp, tool_name, tool_input) values
                ('ses_kid', 'pre_tool', '2026-01-01T10:03:10', 'Bash', '{"command":"ls"}');
            """;
    private static final String OLD =
            """
            create table sessions (session_id text primary key, session_name text not null unique,
                status text not null, created_at text not null, parent_session_name text);
            create table events (id integer primary key, session_id text, event_type text,
                timestamp text);
            insert into sessions values ('a', 'boss.one', 'finished', '2025-12-01T10:00:00', null),
                ('b', 'helper', 'finished', '2025-12-01T10:00:01', 'boss.one'),
                ('c', 'stray', 'finished', '2025-12-01T10:00:02', 'someone');
            """;
    private static final String OLD_HISTORY =
            """
            insert into events values (1, 'b', 'session_start', '2025-12-01T10:00:01'),
                (2, 'b', 'session_stop', '2025-12-01T10:00:09');
            create table runs (run_id text primary key, session_id text, type text, status text,
                parameters text, created_at text, completed_at text);
            insert into runs values ('run_1', 'b', 'start_session', 'completed',
                '{"prompt":"old words"}', '2025-12-01T10:00:01', '2025-12-01T10:00:09');
            """;
    private static final String OBSERVED =
            """
            create table sessions (session_id text primary key, source_app text not null,
                session_type text default 'main', parent_session_id text,
                start_time integer not null,
                end_time integer, duration_ms integer, status text default 'active',
                agent_count integer default 0, total_tokens integer default 0,
                session_metadata text,
                created_at integer not null, updated_at integer not null);
            create table session_relationships (id integer primary key,
                parent_session_id text not null,
                child_session_id text not null,
                relationship_type text default 'parent/child');
            create table events (id integer primary key autoincrement, source_app text,
                session_id text,
                hook_event_type text, payload text, timestamp integer, parent_session_id text);
            insert into sessions (session_id, source_app, session_type, start_time,
                    end_time, status,
                session_metadata, created_at, updated_at) values
                ('main-1', 'app', 'main', 1767261600000, 1767261700000, 'completed', '{"p":1}',
                    1, 1),
                ('sub-1', 'app', 'subagent', 1767261610000, 1767261620000, 'timeout', null, 1, 1),
                ('sub-2', 'app', 'subagent', 1767261611000, null, 'active', 'no json', 1, 1),
                ('sub-3', 'app', 'subagent', 1767261612000, null, 'active', null, 1, 1);
            insert into session_relationships (parent_session_id, child_session_id)
                values ('main-1', 'sub-1');
            insert into session_relationships (parent_session_id, child_session_id,
                relationship_type) values ('sub-1', 'sub-2', 'sibling');
            insert into events (source_app, session_id, hook_event_type, payload, timestamp,
                parent_session_id) values
                ('app', 'sub-2', 'PreToolUse', '{"tool":"Read"}', 1767261612000, 'sub-1');
            """;

    @TempDir Path temp;

    @Test
    void sessions_of_the_coordinator_are_imported_with_runs_results_and_events() throws Exception {
        try (var server = Product.caller();
                var database = new ForeignDatabase(Imports.database(temp, COORDINATOR))) {
            var trees = new ForeignTrees(database);
            // A run names its parent, which still exists.
            assertThat(trees.reattached()).containsEntry("ses_lost", "ses_root").hasSize(1);
            // The parent of its last run is deleted; that of an earlier run does not count.
            assertThat(trees.orphans())
                    .extracting(ForeignTrees.Orphan::id, ForeignTrees.Orphan::parent)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("ses_orphan", "ses_deleted"));
            assertThat(trees.roots()).containsExactly("ses_root", "ses_orphan");
            trees.attach("ses_orphan", "ses_kid");
            Imports.bringIn(server, trees);
            var orphan = server.get("/sessions/ses_orphan").get("session");
            assertThat(text(orphan, "parent_session_id")).isEqualTo("ses_kid");
            assertThat(text(orphan, "state")).isEqualTo("stopped");
            assertThat(text(server.get("/sessions/ses_lost/result"), "result_text"))
                    .isEqualTo("the answer");
            assertThat(server.get("/sessions/ses_root/children").get("children").size())
                    .isEqualTo(2);
            var events = server.get("/sessions/ses_kid/events").get("events");
            assertThat(events.toString()).contains("pre_tool", "Bash", "\"command\":\"ls\"");
            var root = server.get("/sessions/ses_root").get("session");
            assertThat(text(root, "created_at")).startsWith("2026-01-01T10:00:00.123");
        }
    }

    /** Each database numbers its runs from one. */
    @Test
    void runs_of_two_databases_may_have_the_same_ids() throws Exception {
        try (var server = Product.caller()) {
            try (var first = new ForeignDatabase(Imports.database(temp, COORDINATOR))) {
                Imports.bringIn(server, new ForeignTrees(first));
            }
            Files.delete(temp.resolve("foreign.db"));
            try (var second = new ForeignDatabase(Imports.database(temp, OLD + OLD_HISTORY))) {
                var file = server.directory().resolve("backups/second.coppice");
                new ForeignTrees(second).write("a", file, Instant.parse("2026-01-02T00:00:00Z"));
            }
            var asked = Json.object().put("file", "second.coppice");
            var refused = server.client().post("/restores", asked);
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.body().toString())
                    .contains("ids already in use: 'run_1'", "new_ids=true");
            var begun = server.post("/restores", asked.put("new_ids", true).toString());
            var ended = server.get("/removals/" + text(begun, "removal_id") + "?wait=20s");
            assertThat(text(ended, "state")).isEqualTo("undone");
        }
    }

    @Test
    void parents_in_the_old_coordinator_are_found_by_name() throws Exception {
        try (var server = Product.caller();
                var database = new ForeignDatabase(Imports.database(temp, OLD + OLD_HISTORY))) {
            var trees = new ForeignTrees(database);
            assertThat(trees.orphans()).extracting(ForeignTrees.Orphan::id).containsExactly("c");
            Imports.bringIn(server, trees);
            assertThat(server.get("/sessions/b/events").toString())
                    .contains("session_start", "session_stop", "2025-12-01T10:00:09");
            var runs = server.get("/runs?session_id=b").get("runs");
            assertThat(runs).hasSize(1);
            assertThat(runs.toString()).contains("run_1", "old words");
            assertThat(text(server.get("/sessions/b").get("session"), "parent_session_id"))
                    .isEqualTo("a");
            assertThat(text(server.get("/sessions/a").get("session"), "session_name"))
                    .isEqualTo("boss-one");
        }
    }

    @Test
    void parents_in_observability_servers_are_found_by_relationships_and_events() throws Exception {
        try (var server = Product.caller();
                var database = new ForeignDatabase(Imports.database(temp, OBSERVED))) {
            var trees = new ForeignTrees(database);
            assertThat(trees.reattached())
                    .containsEntry("sub-1", "main-1")
                    .containsEntry("sub-2", "sub-1");
            // No row names its parent, but a subagent must have had one.
            assertThat(trees.orphans())
                    .containsExactly(new ForeignTrees.Orphan("sub-3", "sub-3", null));
            Imports.bringIn(server, trees);
            var sub = server.get("/sessions/sub-2").get("session");
            assertThat(text(sub, "parent_session_id")).isEqualTo("sub-1");
            assertThat(text(server.get("/sessions/sub-1").get("session"), "state"))
                    .isEqualTo("timed_out");
            assertThat(text(server.get("/sessions/sub-3").get("session"), "detached_from"))
                    .isEqualTo("unknown");
            assertThat(server.get("/sessions/main-1").get("session").hasNonNull("detached_from"))
                    .isFalse();
            assertThat(server.get("/sessions/sub-2/events").toString()).contains("PreToolUse");
            var relation = server.get("/sessions/sub-2/relations").get("relations").get(0);
            assertThat(text(relation, "type")).isEqualTo("sibling");
            assertThat(text(relation, "session_id")).isEqualTo("sub-1");
        }
    }

    @Test
    void times_are_read_with_any_offset_and_a_session_below_a_cycle_keeps_its_parent()
            throws Exception {
        var script =
                OLD.replace("'2025-12-01T10:00:00'", "'2025-12-01T10:00:00-05:00'")
                        + """
                        insert into sessions values
                            ('x', 'x', 'finished', '2025-12-01 10:00:00+02:00', 'z'),
                            ('y', 'y', 'finished', '2025-12-01T10:00:00Z', 'z'),
                            ('z', 'z', 'finished', '2025-12-01T10:00:00', 'y');
                        """;
        try (var server = Product.caller();
                var database = new ForeignDatabase(Imports.database(temp, script))) {
            var trees = new ForeignTrees(database);
            assertThat(trees.orphans())
                    .extracting(ForeignTrees.Orphan::id)
                    .containsExactlyInAnyOrder("c", "y");
            Imports.bringIn(server, trees);
            var created =
                    java.util.stream.Stream.of("a", "x", "y", "z")
                            .map(id -> server.get("/sessions/" + id).get("session"))
                            .map(s -> String.valueOf(text(s, "created_at")))
                            .toList();
            assertThat(created.get(0)).startsWith("2025-12-01T15:00:00");
            assertThat(created.get(1)).startsWith("2025-12-01T08:00:00");
            assertThat(created.get(2)).startsWith("2025-12-01T10:00:00");
            assertThat(created.get(3)).startsWith("2025-12-01T10:00:00");
            for (var child : java.util.List.of("x z", "z y")) {
                var both = child.split(" ", -1);
                var session = server.get("/sessions/" + both[0]).get("session");
                assertThat(text(session, "parent_session_id")).isEqualTo(both[1]);
            }
        }
    }

    @Test
    void an_unknown_database_is_refused_and_cycles_are_cut() throws Exception {
        var none = Files.writeString(temp.resolve("none.db"), "no database at all");
        assertThatThrownBy(() -> new ForeignDatabase(none))
                .isInstanceOf(ForeignDatabase.Unreadable.class);
        var cycle =
                OLD.substring(0, OLD.indexOf("insert"))
                        + "insert into sessions values ('a', 'a', 'finished', '2025-12-01', 'b'),"
                        + " ('b', 'b', 'finished', '2025-12-01', 'a');\n";
        try (var database = new ForeignDatabase(Imports.database(temp, cycle))) {
            var trees = new ForeignTrees(database);
            assertThat(trees.roots()).containsExactly("a");
            assertThat(trees.orphans()).hasSize(1);
        }
    }
}
