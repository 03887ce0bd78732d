package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.backup.BackupFile;
import dev.coppice.backup.Manifest;
import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Eventually;
import dev.coppice.scene.LongForm;
import dev.coppice.scene.Soak;
import dev.coppice.store.Stores;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;

/**
 * Random trees with random histories. After a removal and its undo, or a backup, a purge and a
 * restore, each tree is the same, byte by byte.
 */
@LongForm
class RegrowTest {
    private static final int SEEDS = Integer.getInteger("coppice.regrown", Soak.size(8, 24));
    private static final int STEPS = 40;

    /** The key of the places of all sessions, compared only if both exports have them. */
    private static final String PLACES = "places";

    private static final String EVENTS = "events.jsonl";
    private static final String PAIRS = "relationships.jsonl";
    private static final List<String> COMPARED =
            List.of(
                    "sessions.jsonl",
                    "runs.jsonl",
                    "events.jsonl",
                    "callbacks.jsonl",
                    "joins.jsonl",
                    "join_members.jsonl",
                    "stops.jsonl",
                    "stop_members.jsonl",
                    "blueprints.jsonl",
                    "budgets.jsonl",
                    "people_only.jsonl",
                    "spent.jsonl",
                    PAIRS,
                    "waves.jsonl",
                    "wave_plans.jsonl",
                    "wave_members.jsonl");

    private static final String RICH = "rich";
    private static final String RICH_BLUEPRINT =
            """
            {"name":"rich","kind":"command","command":["true","${scope.key}"],
             "silence_max":"10m","lifetime_max":"2d","account":"someone","tags":["a"],
             "env":{"PLAIN":"${params.prompt}"},"description":"all that can be said of one"}
            """;

    /** A tree that grows at random, with a runner of its own. */
    private static final class Grower {
        private final Caller server;
        private final Random random;
        private final List<String> names = new ArrayList<>();
        private final String runner;
        private final String prefix;
        private final Map<String, ObjectNode> atWork = new TreeMap<>();
        private final Set<String> frozen = new TreeSet<>();

        Grower(Caller server, long seed) {
            this.server = server;
            this.random = new Random(seed);
            this.prefix = "s" + seed;
            server.client().post("/agents", Json.read(RICH_BLUEPRINT));
            this.runner =
                    String.valueOf(
                            text(
                                    server.post(
                                            "/runner/register",
                                            """
                                            {"hostname":"nowhere","project_dir":"/","executor_profile":"%s",
                                             "protocol":"coppice/1","capacity":100,"holds":[]}
                                            """
                                                    .formatted(prefix)),
                                    "runner_id"));
            session(prefix, null);
        }

        private void session(String name, @Nullable String parent) {
            var body = Json.object().put("session_id", name).put("session_name", name);
            if (parent != null) body.put("parent_session_id", parent);
            described(body);
            if (server.client().post("/sessions", body).isGood()) names.add(name);
        }

        /** Sets all optional fields for one of three sessions. */
        private void described(ObjectNode body) {
            if (random.nextInt(3) > 0) return;
            body.put("project_dir", "/some/where/" + random.nextInt(9));
            body.put("source_app", "app-" + random.nextInt(9));
            body.putObject("metadata").put("n", random.nextInt(9)).putNull("nothing");
            body.putObject("limits").put("depth", 20).put("children", 40 + random.nextInt(9));
        }

        private String any() {
            return names.get(random.nextInt(names.size()));
        }

        int cuts;
        int joins;
        int stillFrozen;
        int pairs;
        int waves;

        void step() {
            var any = any();
            switch (random.nextInt(15)) {
                case 0, 1, 2 -> session(prefix + "-" + names.size(), any);
                case 3 -> run(any);
                case 4 ->
                        tell(
                                any,
                                "note",
                                "{\"n\":%d,\"text\":\"ä\\n'\\\"\"}".formatted(random.nextInt(99)));
                case 5 -> server.client().post("/sessions/" + any + "/messages", message());
                case 6 ->
                        server.client()
                                .call(
                                        "PUT",
                                        "/sessions/" + any + "/budget",
                                        Json.object().put("tokens", 1000 + random.nextInt(1000)),
                                        Map.of());
                case 7 ->
                        server.client()
                                .post(
                                        "/sessions/" + any + "/usage",
                                        Json.object().put("tokens", random.nextInt(11)));
                case 8 -> cut(any, STOPPING);
                case 10 -> stopTree(any);
                case 12 -> freeze(any);
                case 13 -> relate(any, any());
                case 14 -> wave(any);
                case 9 -> cut(any, STOPPING.replace("}", ",\"children\":\"detach\"}"));
                default -> server.client().post("/sessions/" + any + "/stop", Json.object());
            }
        }

        private void relate(String one, String other) {
            var body = Json.object().put("parent_session_id", one).put("child_session_id", other);
            body.put("relationship_type", random.nextBoolean() ? "sibling" : "continuation");
            body.put("spawn_reason", "manual").putObject("spawn_metadata").put("n", 1);
            if (server.client().post("/api/sessions/relationships", body).isGood()) pairs++;
        }

        private void wave(String parent) {
            var body = Json.object().put("name", "of " + parent).put("parent_session_id", parent);
            if (server.client().post("/waves", body).isGood()) waves++;
        }

        private void freeze(String session) {
            if (session.equals(prefix) || random.nextInt(2) > 0) return;
            var path = "/sessions/" + session + "/freeze";
            if (!server.client().post(path, Json.object()).isGood()) return;
            frozen.add(session);
            // Nothing starts below a frozen session: it is frozen again at the end.
            server.post("/sessions/" + session + "/thaw", "{}");
        }

        /** Freezes sessions last: callbacks to a frozen session are held until it is thawed. */
        private void settledThenFrozen() {
            settle(server);
            for (var session : frozen) {
                // A session without children is never owed a callback, not even by an undo.
                boolean isThere = server.client().get("/sessions/" + session).isGood();
                if (!isThere || hasChildren(session)) continue;
                var path = "/sessions/" + session + "/freeze";
                if (server.client().post(path, Json.object()).isGood()) stillFrozen++;
            }
        }

        /** Stops a tree. The runs of this test's runner are reported as stopped only at the end. */
        private void stopTree(String session) {
            if (session.equals(prefix) || random.nextInt(3) > 0) return;
            server.client()
                    .post("/sessions/" + session + "/stop", Json.object().put("scope", "tree"));
        }

        /** Removes a part of the tree, or removes a session and detaches its children. */
        private void cut(String session, String choices) {
            if (session.equals(prefix) || random.nextInt(3) > 0) return;
            var path = "/sessions/" + session + "/removal?wait=20s";
            if (server.client().post(path, Json.read(choices)).isGood()) cuts++;
        }

        private ObjectNode message() {
            return Json.object()
                    .put("text", "hello " + random.nextInt(99))
                    .put("when_busy", "queue");
        }

        private void tell(String session, String type, String data) {
            var body = Json.object().put("event_type", type);
            body.set("data", Json.read(data));
            server.client().post("/sessions/" + session + "/events", body);
        }

        /** Starts a child on this test's runner; the run completes, fails or stays live. */
        private void run(String parent) {
            var name = prefix + "-r" + names.size();
            var body =
                    Json.object()
                            .put("session_id", name)
                            .put("session_name", name)
                            .put("prompt", "do")
                            .put("parent_session_id", parent)
                            .put(
                                    "on_parent_end",
                                    List.of("stop", "keep", "abandon").get(random.nextInt(3)))
                            .put(
                                    "execution_mode",
                                    random.nextBoolean() ? "async_poll" : "async_callback");
            if (names.size() % 3 == 0) body.put("wave_id", prefix + "-wave");
            body.putObject("additional_demands").put("executor_profile", prefix);
            if (random.nextBoolean()) {
                described(body);
                body.remove("project_dir");
                body.put("agent_name", RICH);
                body.putObject("scope").put("key", "k");
                body.withObject("/additional_demands").putArray("tags");
            }
            if (!server.client().post("/runs", body).isGood()) return;
            names.add(name);
            var claimed = server.client().get("/runner/runs?runner_id=" + runner).body().get("run");
            if (claimed == null) return;
            var sent =
                    Json.object()
                            .put("runner_id", runner)
                            .put("fence", claimed.get("fence").asLong())
                            .put("result_text", "result of " + name)
                            .put("error", "broke");
            sent.putObject("result_data").put("n", random.nextInt(9)).putArray("of").add("ä");
            var path = "/runner/runs/" + text(claimed, "run_id") + "/";
            server.client().post(path + "started", sent);
            if (random.nextInt(4) > 0) {
                server.client().post(path + (random.nextBoolean() ? "completed" : "failed"), sent);
            } else {
                atWork.put(path, sent);
                join(parent, name);
            }
        }

        /** Joins a child. A parent that has ended is refused. */
        private void join(String by, String child) {
            var wanted = Json.object();
            wanted.putArray("children").add(child);
            var path = "/sessions/" + by + "/joins";
            if (server.client().post(path, wanted).isGood()) joins++;
        }

        /** Returns the first session below the top that still exists and has children. */
        Optional<String> part() {
            return names.stream()
                    .skip(1)
                    .filter(n -> server.client().get("/sessions/" + n).isGood())
                    .filter(this::hasChildren)
                    .findFirst();
        }

        private boolean hasChildren(String name) {
            return server.get("/sessions/" + name + "/children/count").path("count").asInt() > 0;
        }

        /** Ends all sessions: a live run would be restored as stopped and differ. */
        void quiet() {
            for (var name : names.reversed()) {
                server.client().post("/sessions/" + name + "/stop", Json.object());
            }
            atWork.forEach((path, sent) -> server.client().post(path + "stopped", sent));
            settledThenFrozen();
        }
    }

    /** Backs up a tree after all owed callbacks moved, so that nothing changes any more. */
    private static Map<String, List<String>> export(Caller server, String name) {
        settle(server);
        var made = server.post("/sessions/" + name + "/backup", "{}");
        var all =
                lines(
                        server.directory()
                                .resolve("backups")
                                .resolve(String.valueOf(text(made, "file"))));
        all.put(PLACES, lines(all, "sessions.jsonl").stream().map(l -> place(server, l)).toList());
        return all;
    }

    private static void settle(Caller server) {
        Eventually.await(
                () -> server.get("/callbacks?state=owed").get("callbacks").isEmpty(),
                () -> "still owed: " + server.get("/callbacks?state=owed"));
    }

    /** Describes the place of a session. No file has it: it is derived from the parents. */
    private static String place(Caller server, String session) {
        var id = text(Json.read(session), "id");
        var shown = server.get("/sessions/" + id).get("session");
        return "%s is %s deep at %s, detached from %s"
                .formatted(
                        id, shown.get("depth"), text(shown, "path"), text(shown, "detached_from"));
    }

    private static Map<String, List<String>> lines(Path file) {
        var found = new TreeMap<String, List<String>>();
        try (var zip = new ZipFile(file.toFile())) {
            var others = new ArrayList<>(java.util.Collections.list(zip.entries()));
            others.removeIf(e -> COMPARED.contains(e.getName()));
            others.removeIf(e -> e.getName().startsWith("removals/"));
            // Only these entries are not compared.
            assertThat(others)
                    .extracting(java.util.zip.ZipEntry::getName)
                    .containsExactlyInAnyOrder("audit.jsonl", "work.jsonl", "manifest.json");
            for (var entry : COMPARED) {
                var text =
                        new String(
                                zip.getInputStream(zip.getEntry(entry)).readAllBytes(),
                                java.nio.charset.StandardCharsets.UTF_8);
                found.put(entry, entry.equals(EVENTS) ? told(text) : text.lines().toList());
            }
            found.computeIfPresent(PAIRS, (_, all) -> pairs(found, all));
            return found;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** The pairs within the tree. They have no order, and both sessions of a pair tell of it. */
    private static List<String> pairs(Map<String, List<String>> export, List<String> all) {
        var ids =
                lines(export, "sessions.jsonl").stream()
                        .map(line -> text(Json.read(line), "id"))
                        .collect(Collectors.toSet());
        return all.stream()
                .filter(line -> ids.contains(text(Json.read(line), "parent_id")))
                .filter(line -> ids.contains(text(Json.read(line), "child_id")))
                .distinct()
                .sorted()
                .toList();
    }

    /**
     * The events in their order. An alert is raised about a second after the end that it tells of,
     * so the first of two files may lack it. Numbers are checked here, and not compared, because an
     * alert takes one.
     */
    private static List<String> told(String text) {
        var numbers = new TreeMap<String, Integer>();
        var told = new ArrayList<String>();
        for (var line : text.lines().toList()) {
            var event = Json.read(line);
            int number = numbers.merge(String.valueOf(text(event, "session_id")), 1, Integer::sum);
            assertThat(event.get("number").asInt()).as(line).isEqualTo(number);
            if ("alert_raised".equals(text(event, "type"))) continue;
            told.add(line.replaceFirst("\"number\":\\d+,", ""));
        }
        return told;
    }

    /** Fields of a callback that a hide, which settles it, and an undo change. */
    private static final List<String> CHANGING =
            List.of("state", "since", "due", "carrier", "reason");

    /**
     * Asserts that everything is the same but for two effects of the removal itself: it settled
     * open callbacks, with events, and it wrote events of the sessions that it detached.
     */
    private static void sameAfter(
            JsonNode removal,
            Map<String, List<String>> now,
            Map<String, List<String>> before,
            String what) {
        var settled = settled(before);
        var old = new HashSet<>(lines(before, "events.jsonl"));
        var id = String.valueOf(text(removal, "removal_id"));
        var rest = new TreeMap<>(now);
        rest.put(
                "events.jsonl",
                lines(now, "events.jsonl").stream()
                        .filter(l -> old.contains(l) || !isOfTheRemoval(Json.read(l), id, settled))
                        .toList());
        rest.put("callbacks.jsonl", lasting(now, settled));
        var was = new TreeMap<>(before);
        was.put("callbacks.jsonl", lasting(before, settled));
        same(rest, was, what);
    }

    /** Returns the open callbacks: a hide settles them. */
    private static Set<String> settled(Map<String, List<String>> export) {
        var found = new HashSet<String>();
        for (var line : lines(export, "callbacks.jsonl")) {
            var callback = Json.read(line);
            if (OPEN.contains(text(callback, "state"))) found.add(text(callback, "id"));
        }
        return found;
    }

    private static final Set<String> OPEN = Set.of("owed", "held", "carried");

    private static List<String> lines(Map<String, List<String>> export, String entry) {
        return export.getOrDefault(entry, List.of());
    }

    private static boolean isOfTheRemoval(JsonNode event, String removal, Set<String> settled) {
        var body = Json.read(String.valueOf(text(event, "body")));
        return switch (text(event, "type")) {
            case "callback_moved" -> settled.contains(text(body, "callback"));
            case "session_detached", "session_attached" -> removal.equals(text(body, "removal"));
            case null, default -> false;
        };
    }

    private static List<String> lasting(Map<String, List<String>> export, Set<String> settled) {
        return lines(export, "callbacks.jsonl").stream()
                .map(line -> {
                    var callback = (ObjectNode) Json.read(line);
                    if (!settled.contains(text(callback, "id"))) return line;
                    return Json.write(callback.remove(CHANGING));
                })
                .toList();
    }

    private static void same(
            Map<String, List<String>> now, Map<String, List<String>> before, String what) {
        for (var entry : COMPARED) {
            assertThat(now.get(entry)).as(what + ", " + entry).isEqualTo(before.get(entry));
        }
        if (!now.containsKey(PLACES) || !before.containsKey(PLACES)) return;
        assertThat(now.get(PLACES)).as(what).isEqualTo(before.get(PLACES));
    }

    private static JsonNode removed(Caller server, String name, String choices) {
        var answer = server.post("/sessions/" + name + "/removal?wait=20s", choices);
        assertThat(text(answer, "state")).as(answer.toString()).isIn("hidden", "purged");
        return answer;
    }

    private static JsonNode undone(Caller server, String name, String choices) {
        var removal = removed(server, name, choices);
        server.post("/removals/" + text(removal, "removal_id") + "/undo?wait=20s", "{}");
        return removal;
    }

    private static JsonNode purged(Caller server, String name) {
        var removal = removed(server, name, STOPPING);
        purgeAll(server);
        var now = server.get("/removals/" + id(removal));
        assertThat(text(now, "state")).isEqualTo("purged");
        return removal;
    }

    private static final String STOPPING =
            "{\"running\":\"stop\",\"deadline\":\"1s\",\"unreachable\":\"abandon\",\"critical\":\"override\",\"reason\":\"test\"}";

    @Test
    void a_removed_and_undone_tree_is_unchanged() {
        int cuts = 0;
        int joins = 0;
        int frozen = 0;
        int pairs = 0;
        int waves = 0;
        try (var server = Product.caller()) {
            for (long seed = 0; seed < SEEDS; seed++) {
                var tree = new Grower(server, seed);
                for (int i = 0; i < STEPS; i++) tree.step();
                tree.quiet();
                var before = export(server, tree.prefix);
                var removal = undone(server, tree.prefix, STOPPING);
                sameAfter(removal, export(server, tree.prefix), before, "undone, seed " + seed);
                cuts += tree.cuts;
                joins += tree.joins;
                frozen += tree.stillFrozen;
                pairs += tree.pairs;
                waves += tree.waves;
            }
            assertThat(frozen).as("sessions that are frozen").isPositive();
            assertThat(joins).as("joins").isPositive();
            assertThat(pairs).as("pairs").isPositive();
            assertThat(waves).as("waves").isPositive();
            assertThat(cuts).as("removals and detachments in trees").isPositive();
        }
    }

    /** The backup has the tree as it was after everything stopped. */
    @Test
    void a_tree_that_was_removed_while_running_returns_as_it_was_after_the_stop() {
        int atWork = 0;
        try (var server = Product.caller()) {
            for (long seed = 600; seed < 600 + SEEDS; seed++) {
                var tree = new Grower(server, seed);
                for (int i = 0; i < STEPS; i++) tree.step();
                atWork += tree.atWork.size();
                var removal = removed(server, tree.prefix, STOPPING);
                var file = String.valueOf(text(removal.get("backup"), "file"));
                var before = lines(server.directory().resolve("backups").resolve(file));
                server.post("/removals/" + id(removal) + "/undo?wait=20s", "{}");
                var now = export(server, tree.prefix);
                sameAfter(removal, now, before, "removed at work and undone, seed " + seed);
            }
            assertThat(atWork).as("runs that were live").isPositive();
        }
    }

    /** The parent of the part stays and is notified of both. */
    @Test
    void a_part_of_a_tree_is_unchanged_after_an_undo_and_after_a_restore() {
        int settled = 0;
        int parts = 0;
        try (var server = Product.caller()) {
            for (long seed = 400; seed < 400 + SEEDS; seed++) {
                var tree = new Grower(server, seed);
                for (int i = 0; i < STEPS; i++) tree.step();
                tree.quiet();
                var some = tree.part();
                if (some.isEmpty()) continue;
                var part = some.get();
                parts++;
                var before = export(server, part);
                settled += settled(before).size();
                var removal = undone(server, part, STOPPING);
                var again = export(server, part);
                sameAfter(removal, again, before, "part undone, seed " + seed);
                var file = String.valueOf(text(purged(server, part).get("backup"), "file"));
                restored(server, file);
                same(export(server, part), again, "part restored, seed " + seed);
            }
            assertThat(settled).as("callbacks that were open").isPositive();
            assertThat(parts).as("trees with such a part").isPositive();
        }
    }

    /** The children become roots with limits of their own; the undo reverts that. */
    @Test
    void a_tree_whose_children_were_detached_is_unchanged_after_the_undo() {
        try (var server = Product.caller()) {
            for (long seed = 300; seed < 300 + SEEDS; seed++) {
                var tree = new Grower(server, seed);
                for (int i = 0; i < STEPS; i++) tree.step();
                tree.quiet();
                var before = export(server, tree.prefix);
                var choices = STOPPING.replace("}", ",\"children\":\"detach\"}");
                var removal = undone(server, tree.prefix, choices);
                var now = export(server, tree.prefix);
                sameAfter(removal, now, before, "detached and undone, seed " + seed);
            }
        }
    }

    @Test
    void a_purged_and_restored_tree_is_unchanged_here_and_elsewhere() throws Exception {
        int earlier = 0;
        try (var server = Product.caller();
                var elsewhere = Product.caller();
                var third = Product.caller()) {
            for (long seed = 100; seed < 100 + SEEDS; seed++) {
                var tree = new Grower(server, seed);
                for (int i = 0; i < STEPS; i++) tree.step();
                tree.quiet();
                var before = export(server, tree.prefix);
                var removal = purged(server, tree.prefix);
                var file = String.valueOf(text(removal.get("backup"), "file"));
                var path = server.directory().resolve("backups").resolve(file);
                BackupFile.verify(path);
                same(lines(path), before, "the file, seed " + seed);
                restored(server, file);
                same(export(server, tree.prefix), before, "restored, seed " + seed);
                earlier += broughtBack(server, path);
                restored(elsewhere, copied(path, elsewhere));
                same(export(elsewhere, tree.prefix), before, "elsewhere, seed " + seed);
                var anew = anew(third, copied(path, third));
                same(anew, before, "with new ids, seed " + seed);
            }
            assertThat(earlier).as("trees that had been removed before").isPositive();
        }
    }

    /** Restores with new ids; returns the tree with the suffix of the new ids removed. */
    private static Map<String, List<String>> anew(Caller server, String file) {
        var top =
                String.valueOf(
                        text(restored(server, named(file).put("new_ids", true)), "session_id"));
        var suffix = top.substring(top.lastIndexOf('-')) + "\"";
        var all = export(server, top);
        assertThat(lines(all, "sessions.jsonl")).allMatch(line -> line.contains(suffix));
        all.replaceAll((_, lines) -> lines.stream().map(l -> l.replace(suffix, "\"")).toList());
        all.computeIfPresent(PAIRS, (_, lines) -> lines.stream().sorted().toList());
        all.remove(PLACES);
        return all;
    }

    private static ObjectNode named(String file) {
        return Json.object().put("file", file);
    }

    /** Restores each earlier backup in the file and compares it; returns their number. */
    private static int broughtBack(Caller server, Path file) throws Exception {
        var all = BackupFile.verify(file).earlier();
        for (var one : all) {
            var removal = server.get("/removals/" + one.removalId());
            restored(server, name(file), one.removalId());
            var session = String.valueOf(text(removal, "session_id"));
            same(export(server, session), lines(fileOf(server, removal)), one.toString());
        }
        return all.size();
    }

    @Test
    void a_backup_from_postgresql_is_restored_there_and_on_sqlite() throws Exception {
        try (var server = Product.caller(Map.of("COPPICE_DB", Stores.url()));
                var elsewhere = Product.caller()) {
            for (long seed = 200; seed < 203; seed++) {
                var tree = new Grower(server, seed);
                for (int i = 0; i < STEPS; i++) tree.step();
                tree.quiet();
                var before = export(server, tree.prefix);
                var removal = undone(server, tree.prefix, STOPPING);
                var again = export(server, tree.prefix);
                sameAfter(removal, again, before, "undone, seed " + seed);
                var purged = purged(server, tree.prefix);
                var file = String.valueOf(text(purged.get("backup"), "file"));
                restored(server, file);
                same(export(server, tree.prefix), again, "restored, seed " + seed);
                restored(elsewhere, copied(fileOf(server, purged), elsewhere));
                same(export(elsewhere, tree.prefix), again, "on SQLite, seed " + seed);
            }
        }
    }

    /** One file restores the tree and all earlier removals below it. */
    @Test
    void a_backup_contains_the_backups_of_earlier_removals_below_it() throws Exception {
        try (var server = Product.caller();
                var elsewhere = Product.caller()) {
            var whole = nested(server);
            var other = removed(server, "other", STOPPING);
            var leaf = removed(server, "leaf", STOPPING);
            var mid = removed(server, "mid", STOPPING);
            // Its owner moved the file, which does not block the removal.
            var away = server.directory().resolve("away.coppice");
            Files.move(fileOf(server, other), away);
            var file = fileOf(server, removed(server, "top", STOPPING));
            Files.move(away, fileOf(server, other));
            assertThat(BackupFile.verify(file).earlier())
                    .containsExactlyInAnyOrder(
                            new Manifest.Earlier(id(mid), "mid", 1, true, null),
                            new Manifest.Earlier(id(leaf), "leaf", 1, true, id(mid)),
                            new Manifest.Earlier(id(other), "other", 1, false, null));
            var name = copied(file, elsewhere);
            restored(elsewhere, name);
            restored(elsewhere, name, id(mid));
            restored(elsewhere, name, id(leaf));
            var all = new TreeMap<>(whole);
            all.replaceAll((_, lines) -> lines.stream().filter(l -> !l.contains("other")).toList());
            same(export(elsewhere, "top"), all, "restored from nested backups");
            var none = named(name).put("removal", id(other));
            assertThat(elsewhere.client().post("/restores", none).body().toString())
                    .contains("cannot_be_restored", "no backup of a removal '" + id(other) + "'");
            var backups = elsewhere.directory().resolve("backups").toFile();
            assertThat(backups.list()).noneMatch(n -> n.endsWith(".part"));
        }
    }

    /** The record of the detachment is in the child's backup. */
    @Test
    void a_restored_child_names_its_former_parent_also_on_another_coordinator() throws Exception {
        try (var server = Product.caller();
                var elsewhere = Product.caller()) {
            nested(server);
            removed(server, "top", STOPPING.replace("}", ",\"children\":\"detach\"}"));
            var file = fileOf(server, purged(server, "mid"));
            for (var one : List.of(server, elsewhere)) {
                restored(one, one == server ? name(file) : copied(file, elsewhere));
                var mid = one.get("/sessions/mid").get("session");
                assertThat(text(mid, "detached_from")).isEqualTo("top");
            }
        }
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    /** Copies the file to another coordinator; returns its name there. */
    private static String copied(Path file, Caller to) throws IOException {
        var backups = Files.createDirectories(to.directory().resolve("backups"));
        Files.copy(file, backups.resolve(name(file)));
        return name(file);
    }

    private static Map<String, List<String>> nested(Caller server) {
        server.post("/sessions", "{\"session_id\":\"top\",\"session_name\":\"top\"}");
        for (var child : List.of("mid top", "leaf mid", "other top")) {
            var both = child.split(" ", -1);
            var body = Json.object().put("session_id", both[0]).put("session_name", both[0]);
            server.post("/sessions", body.put("parent_session_id", both[1]).toString());
            var event = "{\"event_type\":\"note\",\"data\":{\"of\":\"%s\"}}".formatted(both[0]);
            server.post("/sessions/" + both[0] + "/events", event);
        }
        for (var name : List.of("leaf", "other", "mid", "top")) {
            server.post("/sessions/" + name + "/stop", "{}");
        }
        return export(server, "top");
    }

    private static String id(JsonNode removal) {
        return String.valueOf(text(removal, "removal_id"));
    }

    private static Path fileOf(Caller server, JsonNode removal) {
        var name = String.valueOf(text(removal.get("backup"), "file"));
        return server.directory().resolve("backups").resolve(name);
    }

    /** Purges the oldest removal, and so the lowest in its tree, first. */
    private static void purgeAll(Caller server) {
        var all = new ArrayList<>(server.get("/removals?limit=1000").get("removals").values());
        for (var removal : all.reversed()) {
            if (!"hidden".equals(text(removal, "state"))) continue;
            server.post("/removals/" + id(removal) + "/purge?wait=20s", "{}");
        }
    }

    /** A restore ends the runs that were live, and owes callbacks as any end does. */
    @Test
    void a_restored_live_tree_owes_callbacks_for_the_runs_that_ended() {
        int awaited = 0;
        try (var server = Product.caller()) {
            for (long seed = 0; seed < SEEDS; seed++) {
                var tree = new Grower(server, seed);
                for (int i = 0; i < STEPS; i++) tree.step();
                var kid = tree.prefix + "-awaited";
                var body =
                        "{\"session_id\":\"%1$s\",\"session_name\":\"%1$s\",\"prompt\":\"x\",\"parent_session_id\":\"%2$s\",\"execution_mode\":\"async_callback\"}"
                                .formatted(kid, tree.prefix);
                boolean lives = server.client().post("/runs", Json.read(body)).isGood();
                if (lives) awaited++;
                var made = server.post("/sessions/" + tree.prefix + "/backup", "{}");
                purged(server, tree.prefix);
                restored(server, String.valueOf(text(made, "file")));
                if (!lives) continue;
                assertThat(text(server.get("/sessions/" + kid).get("session"), "state"))
                        .isEqualTo("stopped");
                var owed =
                        server.get("/callbacks?state=owed,held&session_id=" + tree.prefix)
                                .get("callbacks");
                assertThat(owed.toString()).as("seed " + seed).contains('"' + kid + '"');
            }
            assertThat(awaited).as("trees with a live child").isPositive();
        }
    }

    /** A message in the restored tree names the new sender, or the one outside by its old id. */
    @Test
    void new_ids_apply_to_a_sender_inside_of_the_tree_and_not_to_one_outside() {
        try (var server = Product.caller()) {
            for (var s : List.of("over", "top", "kid")) {
                var body = Json.object().put("session_id", s).put("session_name", s);
                if (s.equals("top")) body.put("parent_session_id", "over");
                if (s.equals("kid")) body.put("parent_session_id", "top");
                server.post("/runs", body.put("prompt", "x").toString());
            }
            for (var by : List.of("over", "top")) {
                var agent = server.as(dev.coppice.access.Caller.agent(new SessionId(by)));
                var text = Json.object().put("text", "from " + by);
                var sent = agent.post("/sessions/kid/messages", text);
                assertThat(sent.isGood()).as(sent.body().toString()).isTrue();
            }
            var made = server.post("/sessions/top/backup", "{}");
            var wanted = named(String.valueOf(text(made, "file"))).put("new_ids", true);
            var top =
                    String.valueOf(
                            text(restored(server, wanted.put("rename", true)), "session_id"));
            var kid =
                    text(
                            server.get("/sessions/" + top + "/children").get("children").get(0),
                            "session_id");
            var senders = new ArrayList<@Nullable String>();
            server.get("/callbacks?session_id=" + kid)
                    .get("callbacks")
                    .forEach(c -> senders.add(text(c, "from_session_id")));
            assertThat(senders).containsExactlyInAnyOrder("over", top);
        }
    }

    private static JsonNode restored(Caller server, String file) {
        return restored(server, file, null);
    }

    private static JsonNode restored(Caller server, String file, @Nullable String removal) {
        return restored(server, named(file).put("removal", removal));
    }

    private static JsonNode restored(Caller server, ObjectNode wanted) {
        var begun = server.post("/restores", wanted.toString());
        var id = text(begun, "removal_id");
        var ended = server.get("/removals/" + id + "?wait=20s");
        assertThat(text(ended, "state")).as(ended.toString()).isEqualTo("undone");
        return ended;
    }
}
