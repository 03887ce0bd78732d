package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.client.Answer;
import dev.coppice.client.CoppiceClient;
import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Kills coordinator and runner again and again while trees grow. Afterwards exactly one finished
 * run must have carried each callback, and no process may be left. For a longer test: {@code
 * ./coppice test -pl system-test -am -Dtest=KillTest -Dcoppice.spawns=400
 * -Dsurefire.failIfNoSpecifiedTests=false}; for another sequence: {@code -Dcoppice.seed=N}.
 */
class KillTest {
    private static final int SPAWNS = Integer.getInteger("coppice.spawns", 60);
    private static final long SEED = Long.getLong("coppice.seed", 1L);
    private static final int PARENTS = 6;
    private static final int SPAWNS_BETWEEN_KILLS = 12;
    private static final int MOMENT_MILLIS_MAX = 400;
    private static final List<String> MODES = List.of("sync", "async_poll", "async_callback");

    private final Random random = new Random(SEED);
    private final Machine machine = new Machine();
    private final Map<String, Integer> killed = new TreeMap<>();
    private int refused;
    private Machine.Program coordinator = machine.up("--no-runner");
    private Machine.Program runner = machine.start("runner");
    private final int port = machine.port();

    @Test
    void repeated_kills_lose_and_repeat_no_callback_and_leave_no_process() {
        try (machine) {
            blueprint("told", "cat >/dev/null; echo heard");
            blueprint("work", "cat >/dev/null; sleep 0.$((RANDOM % 8)); echo done");
            for (int i = 0; i < PARENTS; i++) start("boss-" + i, "told", null, "sync");
            for (int i = 0; i < SPAWNS; i++) {
                var mode = MODES.get(random.nextInt(MODES.size()));
                start("kid-" + i, "work", "boss-" + random.nextInt(PARENTS), mode);
                if (random.nextInt(SPAWNS_BETWEEN_KILLS) == 0) kill();
            }
            kill();
            Eventually.await(this::isQuiet, () -> "still at work: " + unsettled());
            everyEndIsToldOnce();
            assertThat(machine.carrying("COPPICE_URL=http://127.0.0.1:" + port)).isEmpty();
            System.out.printf(
                    "seed %d: %d spawns, %d refused, killed %s, runs %s, callbacks %s%n",
                    SEED,
                    SPAWNS,
                    refused,
                    killed,
                    counted("/runs", "runs"),
                    counted("/callbacks", "callbacks"));
        }
    }

    private void blueprint(String name, String script) {
        var blueprint = Json.object().put("name", name).put("kind", "command");
        blueprint.putArray("command").add("bash").add("-c").add(script);
        machine.post("/agents", blueprint.toString());
    }

    private void start(
            String name,
            String agent,
            @org.jspecify.annotations.Nullable String parent,
            String mode) {
        var request =
                Json.object()
                        .put("session_id", name)
                        .put("session_name", name)
                        .put("agent_name", agent)
                        .put("execution_mode", mode)
                        .put("prompt", "go");
        if (parent != null) request.put("parent_session_name", parent);
        // The answer may be lost with the coordinator; the key makes a retry harmless.
        var key = Map.of("Idempotency-Key", name);
        var answer = patiently(() -> machine.client().call("POST", "/runs", request, key));
        // A lost parent accepts no children; the start is refused and changes nothing.
        if (text(answer.body(), "code").equals("parent_has_ended")) refused++;
        else assertThat(answer.status()).as(answer.body().toString()).isEqualTo(201);
    }

    private static Answer<JsonNode> patiently(Supplier<Answer<JsonNode>> question) {
        var answer = new ArrayList<Answer<JsonNode>>();
        Eventually.await(
                () -> {
                    try {
                        answer.add(question.get());
                        return true;
                    } catch (CoppiceClient.Unreachable _) {
                        return false;
                    }
                },
                () -> "no coordinator answers");
        return answer.getLast();
    }

    private void kill() {
        LockSupport.parkNanos(random.nextInt(MOMENT_MILLIS_MAX) * 1_000_000L);
        int which = random.nextInt(5);
        if (which < 2 || which == 4) {
            runner.kill();
            killed.merge("runner", 1, Integer::sum);
        }
        if (which >= 2) {
            coordinator.kill();
            killed.merge("coordinator", 1, Integer::sum);
            coordinator = machine.up("--no-runner", "--port", Integer.toString(port));
        }
        if (!runner.process().isAlive()) runner = machine.start("runner");
    }

    private List<JsonNode> all(String path, String list) {
        var found = new ArrayList<JsonNode>();
        var next = "";
        while (true) {
            var page = machine.get(path + "?limit=1000" + next);
            page.get(list).forEach(found::add);
            if (!page.hasNonNull("next")) return found;
            next = "&after=" + Json.text(page, "next");
        }
    }

    private boolean isQuiet() {
        return unsettled().isEmpty();
    }

    private List<String> unsettled() {
        var found = new ArrayList<String>();
        for (var run : all("/runs", "runs")) {
            if (!run.hasNonNull("completed_at")) found.add(text(run, "run_id"));
        }
        for (var callback : all("/callbacks", "callbacks")) {
            if (List.of("owed", "carried").contains(text(callback, "state")))
                found.add(text(callback, "callback_id"));
        }
        return found;
    }

    private void everyEndIsToldOnce() {
        var callbacks = new HashMap<String, JsonNode>();
        for (var callback : all("/callbacks", "callbacks")) {
            var before = callbacks.put(text(callback, "child_run_id"), callback);
            assertThat(before).as("another callback for the same end").isNull();
        }
        var finished =
                all("/runs", "runs").stream()
                        .filter(r -> text(r, "state").equals("finished"))
                        .toList();
        for (var run : all("/runs", "runs")) {
            boolean wanted =
                    text(run, "execution_mode").equals("async_callback")
                            && run.hasNonNull("parent_session_id");
            var callback = callbacks.get(text(run, "run_id"));
            assertThat(callback != null).as("callback for " + run).isEqualTo(wanted);
            if (callback == null) continue;
            boolean held = text(callback, "state").equals("held");
            if (held) {
                // The parent was lost; the callback is held until the parent is resumed.
                assertThat(finished.stream().filter(r -> tellsOf(r, run))).isEmpty();
                assertThat(text(callback, "reason")).contains("the session is");
                continue;
            }
            assertThat(text(callback, "state")).as(callback.toString()).isEqualTo("delivered");
            assertThat(finished.stream().filter(r -> tellsOf(r, run)).map(r -> text(r, "run_id")))
                    .as("finished runs that carried " + callback)
                    .containsExactly(text(callback, "carrier"));
        }
    }

    private static boolean tellsOf(JsonNode told, JsonNode child) {
        if (!text(told, "session_id").equals(text(child, "parent_session_id"))) return false;
        var prompt = text(told.get("parameters"), "prompt");
        var kid = text(child, "session_id");
        return prompt.contains("session=\"%s\"".formatted(kid))
                || prompt.contains("### Child: %s (".formatted(kid));
    }

    private Map<String, Integer> counted(String path, String list) {
        var counts = new TreeMap<String, Integer>();
        for (var item : all(path, list)) counts.merge(text(item, "state"), 1, Integer::sum);
        return counts;
    }

    private static String text(JsonNode node, String field) {
        return String.valueOf(Json.text(node, field));
    }
}
