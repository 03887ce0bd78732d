package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.backup.BackupFile;
import dev.coppice.kernel.SessionId;
import dev.coppice.wire.Json;
import dev.coppice.wire.SseFrame;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The requirements of the first two seeds for a deletion, item by item, and the fourteen defects of
 * the second seed's own sketch, none of which may occur. Number 10, a sequential cascade, is in
 * StopTreeTest; a real crash between rows and files, for 6 and 14, is in CrashMatrixTest.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SeedsTest {
    private final Caller server = Product.caller();
    private int names;

    @AfterEach
    void nothingIsLeft() {
        server.assertNothingIsLeft();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private String session(@Nullable String parent) {
        var name = "seed" + names++;
        var body = Json.object().put("session_id", name).put("session_name", name);
        if (parent != null) body.put("parent_session_id", parent);
        server.post("/sessions", body.toString());
        // A session that is bound to a program is running.
        server.post("/sessions/" + name + "/bind", "{}");
        return name;
    }

    private void ended(String... sessions) {
        for (var s : List.of(sessions).reversed()) server.post("/sessions/" + s + "/stop", "{}");
    }

    private JsonNode deleted(String session, String query) {
        var answer = server.client().delete("/sessions/" + session + query);
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        return answer.body();
    }

    private String child(String parent) {
        return session(parent);
    }

    private JsonNode latest() {
        return server.get("/removals").get("removals").get(0);
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class TheFirstSeedsAcceptanceList {
        @Test
        void the_foreign_key_cascades_in_the_schema_itself() throws Exception {
            try (var connection = server.database();
                    var rows =
                            connection
                                    .createStatement()
                                    .executeQuery(
                                            "select on_delete from"
                                                    + " pragma_foreign_key_list('any_session')")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).isEqualTo("CASCADE");
            }
        }

        @Test
        void the_children_of_a_session_are_listed_and_counted() {
            var top = session(null);
            var kid = child(top);
            var children = server.get("/sessions/" + top + "/children").get("children");
            assertThat(text(children.get(0), "session_id")).isEqualTo(kid);
            assertThat(server.get("/sessions/" + top + "/children/count").get("count").asInt())
                    .isEqualTo(1);
        }

        @Test
        void a_parent_without_children_is_deleted() {
            var top = session(null);
            ended(top);
            assertThat(deleted(top, "").get("cascaded_children_count").asInt()).isZero();
        }

        @Test
        void a_deletion_removes_all_levels_and_counts_them() {
            var top = session(null);
            var kid = child(top);
            var leaf = child(kid);
            ended(top, kid, leaf);
            var answer = deleted(top, "");
            assertThat(answer.get("cascaded_children_count").asInt()).isEqualTo(2);
            var ids = new ArrayList<String>();
            answer.get("removed_session_ids").forEach(id -> ids.add(id.asString()));
            assertThat(ids).containsExactly(top, kid, leaf);
            for (var gone : ids) {
                assertThat(server.client().get("/sessions/" + gone).status()).isEqualTo(410);
            }
        }

        @Test
        void a_deletion_is_blocked_while_children_run() {
            var top = session(null);
            var kid = child(top);
            var answer = server.client().delete("/sessions/" + top);
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.error()).contains("running", kid);
        }

        @Test
        void cascade_false_refuses_when_there_are_children() {
            var top = session(null);
            var kid = child(top);
            ended(top, kid);
            var answer = server.client().delete("/sessions/" + top + "?cascade=false");
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.error()).contains("1 child");
        }

        @Test
        void each_deleted_session_is_broadcast() {
            var top = session(null);
            var kid = child(top);
            ended(top, kid);
            deleted(top, "");
            var broadcast = new ArrayList<String>();
            server.client()
                    .follow(
                            "/sse/sessions?after=0&types=session_deleted",
                            frame -> {
                                broadcast.add(id(frame));
                                return !id(frame).equals(top);
                            });
            assertThat(broadcast).endsWith(kid, top);
        }

        /** The dashboard follows the stream, fetches restored sessions, and keeps the tree. */
        @Test
        void a_dashboard_that_follows_never_shows_an_orphan() {
            var from = new AtomicReference<>("");
            server.client().follow("/sse/sessions", init -> from.getAndSet(init.id()) == null);
            var top = session(null);
            var kid = child(top);
            var leaf = child(kid);
            var other = child(top);
            ended(top, kid, leaf, other);
            var removal = text(deleted(top, ""), "removal_id");
            server.post("/removals/" + removal + "/undo?wait=20s", "{}");
            var last = session(null);
            var shown = new LinkedHashMap<String, @Nullable String>();
            var moments = new ArrayList<Long>();
            server.client()
                    .follow(
                            "/sse/sessions?after=" + from,
                            frame -> {
                                follow(frame, shown);
                                assertThat(shown.keySet()).containsAll(parents(shown));
                                var all = List.of(top, kid, leaf, other);
                                moments.add(all.stream().filter(shown::containsKey).count());
                                return !shown.containsKey(last);
                            });
            assertThat(moments).containsSubsequence(4L, 3L, 2L, 1L, 0L, 1L, 2L, 3L, 4L);
        }

        private void follow(SseFrame frame, Map<String, @Nullable String> shown) {
            switch (frame.event()) {
                case "session_created" -> {
                    var session = Json.read(frame.data()).get("session");
                    shown.put(String.valueOf(text(session, "session_id")), parent(session));
                }
                case "session_deleted" -> shown.remove(id(frame));
                case "session_restored" -> {
                    var session = server.get("/sessions/" + id(frame)).get("session");
                    shown.put(id(frame), parent(session));
                }
                default -> {
                    // No other event changes the tree.
                }
            }
        }

        private static @Nullable String parent(JsonNode session) {
            return text(session, "parent_session_id");
        }

        private static List<String> parents(Map<String, @Nullable String> shown) {
            return shown.values().stream().filter(Objects::nonNull).toList();
        }

        private static String id(SseFrame frame) {
            return String.valueOf(text(Json.read(frame.data()), "session_id"));
        }

        @Test
        void no_orphans_remain() {
            assertThat(server.get("/fsck").get("ok").asBoolean()).isTrue();
        }

        @Test
        void the_api_documentation_states_what_a_cascade_deletes() {
            assertThat(server.get("/openapi.json").toString())
                    .contains("Delete a session and, unless cascade=false, all below it");
            var life = server.get("/openapi.json").get("info").get("description").asString();
            assertThat(life)
                    .contains(
                            "at most one parent",
                            "WARNING: removing a session takes everything below");
        }
    }

    /**
     * The success criteria of the second seed. McpTest tests its tool, RegrowTest random trees, and
     * RemovalsTest and WorkTest real processes.
     */
    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class TheSecondSeedsSuccessCriteria {
        @Test
        void the_tool_is_registered_and_accessible() {
            var list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";
            var tools = server.post("/mcp", list).get("result").get("tools");
            assertThat(tools)
                    .anySatisfy(tool -> {
                        assertThat(text(tool, "name")).isEqualTo("delete_session");
                        assertThat(tool.get("inputSchema").get("properties").propertyNames())
                                .contains(
                                        "session_id",
                                        "cleanup_agents",
                                        "preserve_work",
                                        "create_backup",
                                        "force");
                    });
        }

        @Test
        void safe_cascade_deletion_of_all_agents_of_a_session() {
            var top = session(null);
            var kid = child(top);
            var leaf = child(kid);
            assertThat(server.client().delete("/sessions/" + top).status()).isEqualTo(409);
            var answer = deleted(top, "?force=true&reason=over");
            assertThat(answer.get("ok").asBoolean()).isTrue();
            for (var gone : List.of(top, kid, leaf)) {
                assertThat(server.client().get("/sessions/" + gone).status()).isEqualTo(410);
            }
        }

        @Test
        void work_preservation_and_recovery_from_partial_failures() throws Exception {
            try (var runner = new WorkingRunner(server, "worked1")) {
                var name = runner.worked();
                runner.breaks("the disk is full");
                var failed = deleted(name, "");
                assertThat(failed.get("ok").asBoolean()).isFalse();
                var there = server.get("/sessions/" + name).get("session");
                assertThat(text(there, "status")).isEqualTo("finished");
                assertThat(server.get("/runs?session_id=" + name).get("runs")).isNotEmpty();
                runner.breaks(null);
                var answer = deleted(name, "");
                assertThat(answer.get("ok").asBoolean()).isTrue();
                assertThat(text(answer, "backup_path")).startsWith("rem_");
                var recovery = answer.get("recovery_info");
                assertThat(recovery.get("backup_available").asBoolean()).isTrue();
                assertThat(recovery.get("partial_deletions")).isEmpty();
                assertThat(runner.preserved()).isTrue();
            }
        }

        /** Deletes a random session of random trees; RegrowTest has random histories. */
        @Test
        void property_based_testing_of_cascades() {
            for (long seed = 0; seed < 20; seed++) {
                var random = new Random(seed);
                var tree = new ArrayList<>(List.of(session(null)));
                var below = new HashMap<String, List<String>>();
                for (int i = 0; i < 8; i++) {
                    var parent = tree.get(random.nextInt(tree.size()));
                    var kid = child(parent);
                    tree.add(kid);
                    below.computeIfAbsent(parent, _ -> new ArrayList<>()).add(kid);
                }
                ended(tree.toArray(String[]::new));
                var gone = new LinkedHashSet<>(Set.of(tree.get(random.nextInt(tree.size()))));
                var open = new ArrayDeque<>(gone);
                while (!open.isEmpty()) {
                    for (var kid : below.getOrDefault(open.pop(), List.of())) {
                        if (gone.add(kid)) open.add(kid);
                    }
                }
                var answer = deleted(gone.getFirst(), "");
                assertThat(answer.get("removed_session_ids").values())
                        .as("seed %d", seed)
                        .extracting(JsonNode::asString)
                        .containsExactlyInAnyOrderElementsOf(gone);
                for (var one : tree) {
                    int status = gone.contains(one) ? 410 : 200;
                    assertThat(server.client().get("/sessions/" + one).status()).isEqualTo(status);
                }
            }
        }

        /** The tree has a background task, an open question and a budget; other trees stay. */
        @Test
        void integration_testing_with_complex_sessions() {
            try (var runner = new WorkingRunner(server, "worked9")) {
                var worked = runner.worked();
                var top = session(null);
                var kid = child(top);
                var leaf = child(kid);
                server.post("/sessions/" + kid + "/events", TASK);
                server.post(
                        "/sessions/" + leaf + "/events",
                        TASK.replace("background_task_started", "permission_request"));
                server.client()
                        .call(
                                "PUT",
                                "/sessions/" + top + "/budget",
                                Json.object().put("tokens", 9),
                                Map.of());
                var refused = server.client().delete("/sessions/" + top);
                assertThat(refused.status()).isEqualTo(409);
                assertThat(refused.error()).contains("running", "critical operation");
                var answer = deleted(top, "?force=true&reason=over");
                assertThat(answer.get("cascaded_children_count").asInt()).isEqualTo(2);
                assertThat(server.client().get("/sessions/" + top + "/budget").status())
                        .isEqualTo(410);
                var others = server.get("/sessions/" + worked).get("session");
                assertThat(text(others, "status")).isEqualTo("finished");
            }
        }

        private static final String TASK =
                "{\"event_type\":\"background_task_started\",\"data\":{\"id\":\"t\"}}";

        /** One request deletes everything; bench/README.md has the speed. */
        @Test
        void efficient_deletion_of_large_sessions() {
            var top = session(null);
            for (int i = 0; i < 500; i++) child(top);
            server.post("/sessions/" + top + "/stop", "{\"scope\":\"tree\"}");
            var answer = deleted(top, "?force=true&reason=large&wait=60s");
            assertThat(answer.get("ok").asBoolean()).isTrue();
            assertThat(answer.get("cascaded_children_count").asInt()).isEqualTo(500);
        }

        @Test
        void atomic_deletion_with_rollback() {
            var top = session(null);
            var kid = child(top);
            ended(top, kid);
            var before = server.get("/sessions/" + kid).toString();
            var removal = text(deleted(top, ""), "removal_id");
            server.post("/removals/" + removal + "/undo?wait=20s", "{}");
            assertThat(server.get("/sessions/" + kid)).hasToString(before);
        }

        @Test
        void a_complete_audit_trail_for_all_deletions() {
            var top = session(null);
            ended(top);
            deleted(top, "?reason=because");
            var acts = new ArrayList<String>();
            for (var r : server.get("/audit?session_id=" + top).get("records")) {
                acts.add(text(r, "act"));
            }
            assertThat(acts.reversed())
                    .containsSubsequence(
                            "removal.ask",
                            "removal.quiescing",
                            "removal.preserving",
                            "removal.backing_up",
                            "removal.hiding",
                            "removal.hidden");
            assertThat(server.get("/audit/verify").get("ok").asBoolean()).isTrue();
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class TheFourteenDefects {
        @Test
        void no_1_the_backup_is_made_after_everything_stopped() throws Exception {
            var top = session(null);
            deleted(top, "?force=true&reason=enough");
            var file = text(latest().get("backup"), "file");
            var path = server.directory().resolve("backups").resolve(String.valueOf(file));
            assertThat(BackupFile.verify(path).sessions()).isEqualTo(1);
            try (var zip = new java.util.zip.ZipFile(path.toFile())) {
                assertThat(entry(zip, "sessions.jsonl")).contains("\"state\":\"stopped\"");
                assertThat(entry(zip, "audit.jsonl"))
                        .contains("removal.override", "removal.ask", "removal.quiescing");
                assertThat(entry(zip, "manifest.json")).contains("enough", "audit_head");
            }
        }

        private static String entry(java.util.zip.ZipFile zip, String name)
                throws java.io.IOException {
            var bytes = zip.getInputStream(zip.getEntry(name)).readAllBytes();
            return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
        }

        @Test
        void no_2_a_session_that_was_rolled_back_can_be_resumed() {
            var top = session(null);
            deleted(top, "?force=true&reason=enough");
            server.post("/removals/" + text(latest(), "removal_id") + "/undo?wait=10s", "{}");
            var session = server.get("/sessions/" + top).get("session");
            assertThat(text(session, "state")).isEqualTo("stopped");
            assertThat(
                            server.client()
                                    .post(
                                            "/runs",
                                            Json.read(
                                                    "{\"type\":\"resume_session\",\"session_id\":\"%s\",\"prompt\":\"on\"}"
                                                            .formatted(top)))
                                    .isGood())
                    .isTrue();
            server.post("/sessions/" + top + "/stop", "{}");
        }

        @Test
        void no_3_and_12_a_second_deletion_joins_the_first_and_no_session_starts_meanwhile() {
            var top = session(null);
            var first =
                    server.post(
                            "/sessions/" + top + "/removal",
                            "{\"running\":\"stop\",\"reason\":\"x\"}");
            var id = String.valueOf(text(first, "removal_id"));
            var second = server.client().post("/sessions/" + top + "/removal", Json.object());
            assertThat(second.body().toString()).contains(id);
            assertThat(server.get("/audit?session_id=" + top).toString()).contains("removal.join");
            var body = Json.object().put("parent_session_id", top);
            assertThat(server.client().post("/sessions", body).isGood()).isFalse();
            assertThat(text(server.get("/removals/" + id + "?wait=10s"), "state"))
                    .isEqualTo("hidden");
        }

        @Test
        void no_4_progress_is_a_whole_number_that_never_decreases() {
            var top = session(null);
            ended(top);
            var begun = server.post("/sessions/" + top + "/removal", "{}");
            int last = 0;
            for (int i = 0; i < 1_000; i++) {
                var now = server.get("/removals/" + text(begun, "removal_id"));
                assertThat(now.get("percent").isInt()).isTrue();
                assertThat(now.get("percent").asInt()).isBetween(last, 100);
                last = now.get("percent").asInt();
                if ("hidden".equals(text(now, "state"))) break;
            }
            assertThat(last).isEqualTo(100);
        }

        @Test
        void no_6_no_id_becomes_a_path() {
            var body = Json.object().put("session_id", "../../etc/passwd");
            assertThat(server.client().post("/sessions", body).status()).isEqualTo(400);
            assertThat(server.client().get("/backups/..%2F..%2Ftoken").status()).isGreaterThan(399);
            assertThat(server.client().get("/backups/..%2Ftoken").body().toString())
                    .doesNotContain(server.token());
        }

        @Test
        void no_7_children_that_stay_are_roots_and_name_their_former_parent() {
            var top = session(null);
            var kid = child(top);
            ended(top, kid);
            deleted(top, "?cleanup_agents=false");
            var session = server.get("/sessions/" + kid).get("session");
            assertThat(session.hasNonNull("parent_session_id")).isFalse();
            assertThat(text(session, "detached_from")).isEqualTo(top);
            assertThat(server.get("/sessions/" + kid + "/events").toString())
                    .contains("session_detached", top);
            assertThat(server.get("/audit?session_id=" + kid).toString())
                    .contains("removal.detached", "from " + top);
            server.post("/removals/" + text(latest(), "removal_id") + "/undo?wait=10s", "{}");
            var back = server.get("/sessions/" + kid).get("session");
            assertThat(back.hasNonNull("detached_from")).isFalse();
            assertThat(text(back, "parent_session_id")).isEqualTo(top);
            assertThat(server.get("/audit?session_id=" + kid).toString())
                    .contains("removal.attached", "to " + top);
        }

        /** Discarding work is the seed's security error, which its sketch never raises. */
        @Test
        void no_5_8_and_13_force_preserves_work_and_discarding_it_is_a_security_error()
                throws Exception {
            try (var runner = new WorkingRunner(server, "worked2")) {
                var name = runner.worked();
                var path = "/sessions/" + name + "/removal";
                var refused = server.refused(path, "{\"work\":\"discard\"}");
                assertThat(text(refused.body().get("detail"), "error")).isEqualTo("security_error");
                runner.breaks("the disk is full");
                var answer = deleted(name, "?force=true&reason=now");
                assertThat(answer.get("ok").asBoolean()).isFalse();
                assertThat(text(answer, "reason")).contains("the disk is full");
                runner.breaks(null);
                var gone = deleted(name, "?force=true&reason=now");
                assertThat(gone.get("ok").asBoolean()).as(gone.toString()).isTrue();
                assertThat(gone.get("deleted").get("runs_count").asInt()).isOne();
                assertThat(gone.get("runs_removed_from_cache").asInt()).isOne();
                assertThat(runner.preserved()).isTrue();
            }
        }

        @Test
        void no_9_a_caller_that_disconnects_leaves_no_partial_deletion() throws Exception {
            var top = session(null);
            server.hungUp(
                            "DELETE",
                            "/sessions/" + top + "?force=true&reason=x",
                            "",
                            server.bearer())
                    .close();
            var until = System.nanoTime() + 10_000_000_000L;
            while (server.client().get("/sessions/" + top).status() != 410) {
                assertThat(System.nanoTime()).isLessThan(until);
            }
        }

        /** Later errors do not replace the first one. */
        @Test
        void no_9_the_first_error_is_reported() throws Exception {
            try (var runner = new WorkingRunner(server, "worked4")) {
                var name = runner.worked();
                runner.breaks("the disk is full");
                var answer = deleted(name, "?force=true&reason=now");
                assertThat(text(answer, "reason")).contains("the disk is full");
                assertThat(text(answer, "error")).isEqualTo("operation_error");
                var removal = server.get("/removals/" + text(answer, "removal_id") + "?wait=10s");
                assertThat(text(removal, "state")).isEqualTo("taken_back");
                assertThat(text(removal, "called_off")).contains("the disk is full");
            }
        }

        /** A file that is not deleted yet keeps the removal open, even after its rows are gone. */
        @Test
        void no_6_and_14_a_purge_ends_only_after_the_files_are_deleted() throws Exception {
            try (var runner = new WorkingRunner(server, "worked5")) {
                var name = runner.worked();
                var removal = text(deleted(name, ""), "removal_id");
                runner.breaks("in use");
                var path = "/removals/" + removal;
                server.post(path + "/purge", "{}");
                var waiting = server.get(path + "?wait=20s");
                assertThat(text(waiting, "state")).isEqualTo("purging");
                assertThat(text(waiting, "waits_for")).contains("in use");
                server.post(path + "/abandon", "{\"reason\":\"they may stay\"}");
                var until = System.nanoTime() + 20_000_000_000L;
                while (!"purged".equals(text(server.get(path), "state"))) {
                    assertThat(System.nanoTime()).isLessThan(until);
                }
            }
        }

        @Test
        void no_11_a_deletion_is_audited_before_anything_happens() {
            var top = session(null);
            server.client().delete("/sessions/" + top);
            ended(top);
            deleted(top, "");
            var acts = new ArrayList<String>();
            for (var r : server.get("/audit?session_id=" + top).get("records")) {
                acts.add(text(r, "act") + " " + text(r, "decision"));
            }
            assertThat(acts.reversed())
                    .startsWith(
                            "removal.ask refused", "stop_session allowed", "removal.ask allowed");
        }

        @Test
        void no_12_a_dry_run_changes_nothing() {
            var top = session(null);
            var plan = server.get("/sessions/" + top + "/removal-plan");
            assertThat(text(plan, "digest")).isNotBlank();
            assertThat(server.client().get("/sessions/" + top).isGood()).isTrue();
            var agent = server.as(dev.coppice.access.Caller.agent(new SessionId(top)));
            assertThat(agent.get("/sessions/" + top + "/removal-plan").isGood()).isTrue();
        }
    }
}
