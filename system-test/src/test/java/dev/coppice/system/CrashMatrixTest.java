package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.removal.RemovalState;
import dev.coppice.scene.Eventually;
import dev.coppice.scene.InSoak;
import dev.coppice.scene.LongForm;
import dev.coppice.scene.Soak;
import dev.coppice.scene.UserGit;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Kills the coordinator and its runner in every state of a removal: before the first write to each
 * table that the state writes to, and before the next state. Uses real processes, git and SQLite.
 * Triggers in the database block the removal until the processes are dead. The states come from the
 * code and the tables from the database: the test fails for a state that is missing in WAYS, and a
 * new write gets its crash without a change here.
 */
class CrashMatrixTest {
    private static final String NOW = "{\"purge\":\"now\",\"running\":\"stop\"}";
    private static final String LATER = "{\"running\":\"stop\"}";
    private static final String DETACH = "{\"children\":\"detach\",\"running\":\"stop\"}";
    private static final int KILLS_MAX = 30;
    private static final Pattern HELD = Pattern.compile("held before ([a-z_]+) is written");

    /** Tables that are written at any time, not only by removals. */
    private static final Set<String> NOT_OF_REMOVALS =
            Set.of(
                    "runner",
                    "run_use",
                    "alert",
                    "event_indexed",
                    "event_alerted",
                    "sqlite_sequence");

    /** For each state, the choices that lead to it and the state in which the removal must end. */
    private static final Map<String, Way> WAYS =
            Map.ofEntries(
                    Map.entry("fencing", new Way(NOW, "purged")),
                    Map.entry("quiescing", new Way(NOW, "purged")),
                    Map.entry("preserving", new Way(NOW, "purged")),
                    Map.entry("backing_up", new Way(NOW, "purged")),
                    Map.entry("detaching", new Way(DETACH, "hidden")),
                    Map.entry("hiding", new Way(NOW, "purged")),
                    Map.entry("hidden", new Way(LATER, "undone")),
                    Map.entry("undoing", new Way(LATER, "undone")),
                    Map.entry("taking_back", new Way(LATER, "taken_back")),
                    Map.entry("purging", new Way(NOW, "purged")),
                    Map.entry("restoring", new Way(NOW, "undone")));

    private record Way(String choices, String end) {}

    @TempDir Path temp;

    /** The suite starts with the decision, ends with the purge, and brings a tree back. */
    static List<String> states() {
        return Soak.part(List.of("fencing", "purging", "undoing"), all());
    }

    private static List<String> all() {
        var found = new ArrayList<String>();
        for (var type : RemovalState.class.getPermittedSubclasses()) {
            if (type.isInterface()) continue;
            found.add(
                    type.getSimpleName()
                            .replaceAll("([a-z])([A-Z])", "$1_$2")
                            .toLowerCase(Locale.ROOT));
        }
        return found;
    }

    /**
     * Starts a root that works in a user's repository, a child in a directory made by Coppice, and
     * a running child whose end is owed to the root. Returns the repository.
     */
    private Path grown(Machine machine) throws IOException {
        var repo = temp.toRealPath().resolve("repo");
        UserGit.in(temp).text("init", "-q", "-b", "main", repo.toString());
        Files.writeString(repo.resolve("a.txt"), "one\n");
        UserGit.in(repo).text("add", "-A");
        UserGit.in(repo)
                .text("-c", "user.name=u", "-c", "user.email=u@x", "commit", "-q", "-m", "m");
        machine.run("start", "top", "--project-dir", repo.toString(), "-p", "write b.txt new");
        machine.post(
                "/runs",
                "{\"session_id\":\"kid\",\"session_name\":\"kid\",\"parent_session_id\":\"%s\",\"prompt\":\"write notes.txt dear\"}"
                        .formatted(id(machine)));
        machine.awaitState("kid", "finished");
        machine.post(
                "/runs",
                "{\"session_id\":\"busy\",\"session_name\":\"busy\",\"parent_session_id\":\"%s\",\"execution_mode\":\"async_callback\",\"prompt\":\"hang\"}"
                        .formatted(id(machine)));
        machine.awaitAtWork("busy");
        return repo;
    }

    private static String id(Machine machine) {
        return String.valueOf(
                Json.text(machine.get("/sessions/by-name/top").get("session"), "session_id"));
    }

    /** All but those of the full-text index, on which there can be no triggers. */
    private static List<String> tables(Machine machine) {
        var tables = new ArrayList<String>();
        try (var connection = machine.database();
                var statement = connection.createStatement();
                var rows =
                        statement.executeQuery(
                                "select name from sqlite_master where type = 'table'"
                                        + " and name not like 'event\\_text%' escape '\\'")) {
            while (rows.next()) tables.add(rows.getString(1));
        } catch (SQLException e) {
            throw new AssertionError("listing the tables", e);
        }
        tables.removeAll(NOT_OF_REMOVALS);
        return tables;
    }

    private static final List<String> WRITES = List.of("insert", "update", "delete");

    /** Creates triggers that fail every write while a removal is in this state. */
    private static void hold(Machine machine, String state) {
        var triggers = new ArrayList<String>();
        for (var table : tables(machine)) {
            for (var write : WRITES) triggers.add(trigger(state, table, write));
        }
        // A restore updates its row with every piece, so only the step out of the state is blocked.
        if (state.equals("restoring")) triggers.add("drop trigger hold_removal_update");
        if (state.equals("taking_back")) {
            triggers.add(
                    "create trigger hold_preserving before update of state on removal when"
                            + " old.state = 'preserving' and new.state not in ('preserving',"
                            + " 'taking_back') begin select raise(abort, 'wait'); end");
        }
        machine.sql(triggers);
    }

    private static String trigger(String state, String table, String write) {
        return "create trigger hold_%2$s_%3$s before %3$s on %2$s when exists (select 1 from removal where state = '%1$s') begin select raise(abort, 'held before %2$s is written'); end"
                .formatted(state, table, write);
    }

    private static void unhold(Machine machine, String table) {
        machine.sql(
                WRITES.stream()
                        .map(w -> "drop trigger if exists hold_%s_%s".formatted(table, w))
                        .toList());
    }

    private static @Nullable JsonNode latest(Machine machine) {
        var all = machine.get("/removals").get("removals");
        return all.isEmpty() ? null : all.get(0);
    }

    /** Null until a removal is accepted: a plan may change before it is confirmed. */
    private static @Nullable String stateOfLatest(Machine machine) {
        var latest = latest(machine);
        return latest == null ? null : Json.text(latest, "state");
    }

    private static String removal(Machine machine) {
        return String.valueOf(Json.text(latest(machine), "removal_id"));
    }

    @Test
    void every_state_of_a_removal_has_a_way_to_it() {
        assertThat(WAYS.keySet()).containsExactlyInAnyOrderElementsOf(all());
    }

    @LongForm
    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("states")
    void a_removal_killed_before_each_of_its_writes_loses_and_leaves_nothing(String state)
            throws IOException {
        var way = WAYS.get(state);
        try (var machine = new Machine()) {
            var up = Machine.ready(started(machine));
            var repo = grown(machine);
            var killed = new ArrayList<String>();
            var asked = new Asked(machine, state, way, id(machine), killed);
            var index = Files.readAllBytes(repo.resolve(".git/index"));
            hold(machine, state);
            for (var held = awaitHeld(up, asked); !held.isEmpty(); held = awaitHeld(up, asked)) {
                up.kill();
                held.forEach(table -> unhold(machine, table));
                killed.addAll(held);
                if (state.equals("restoring")) passTime(machine);
                assertThat(killed).hasSizeLessThan(KILLS_MAX);
                up = started(machine);
            }
            assertThat(killed).as("writes blocked while " + state).contains("removal", "audit");
            if (state.equals("fencing")) assertThat(killed).contains("task", "work_item");
            assertThat(Files.readAllBytes(repo.resolve(".git/index"))).isEqualTo(index);
            check(machine, repo, state.equals("restoring") ? "restored" : way.end());
        }
    }

    enum Killed {
        COORDINATOR,
        RUNNER
    }

    /** The other process continues, and its answer or its directory task finds no taker. */
    @InSoak
    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @CsvSource({"preserving, COORDINATOR", "purging, RUNNER"})
    void coordinator_or_runner_killed_alone_at_each_write_loses_nothing(String state, Killed who)
            throws IOException {
        var way = new Way(NOW, "purged");
        try (var machine = new Machine()) {
            var up = machine.up("--no-runner");
            var port = Integer.toString(machine.port());
            var runner = machine.start("runner");
            var repo = grown(machine);
            var killed = new ArrayList<String>();
            var asked = new Asked(machine, state, way, id(machine), killed);
            hold(machine, state);
            for (var held = awaitHeld(up, asked); !held.isEmpty(); held = awaitHeld(up, asked)) {
                (who == Killed.RUNNER ? runner : up).kill();
                held.forEach(table -> unhold(machine, table));
                killed.addAll(held);
                assertThat(killed).hasSizeLessThan(KILLS_MAX);
                if (who == Killed.RUNNER) runner = machine.start("runner");
                else up = machine.start("up", "--no-runner", "--port", port);
            }
            assertThat(killed).contains("removal", "audit", "task");
            check(machine, repo, way.end());
        }
    }

    private void check(Machine machine, Path repo, String end) throws IOException {
        assertThat(Files.readString(repo.resolve("b.txt")).strip()).isEqualTo("new");
        assertThat(machine.run("fsck")).contains("no references to missing objects");
        checkWork(machine, end);
    }

    private static Machine.Program started(Machine machine) {
        return machine.start("up", "--port", "0");
    }

    /** Returns the tables whose writes block the removal now; none if the removal is over. */
    private static Set<String> awaitHeld(Machine.Program up, Asked asked) {
        var held = new TreeSet<String>();
        Eventually.await(
                () -> {
                    // The coordinator also writes during its start, and may be blocked there.
                    boolean isUp = up.text().contains("Coppice is up at");
                    if (isUp) asked.goOn();
                    var matcher = HELD.matcher(up.text());
                    while (matcher.find()) held.add(matcher.group(1));
                    // The log still names tables whose triggers are dropped.
                    held.removeAll(asked.killed());
                    // A failed restore must not be rolled back before the kill.
                    if (asked.state().equals("restoring") && held.size() > 1)
                        held.remove("removal");
                    return !held.isEmpty() || (isUp && asked.isOver());
                },
                () -> up.text() + "\n" + latest(asked.machine()));
        return held;
    }

    /** The requests of a user, repeated until the removal is over. */
    private record Asked(Machine machine, String state, Way way, String top, List<String> killed) {
        void goOn() {
            var removals = machine.get("/removals").get("removals");
            if (removals.isEmpty()) {
                // A confirmed removal inspects the work again under the fence.
                var choices = (ObjectNode) Json.read(way.choices());
                var query = new StringBuilder("/sessions/" + top + "/removal-plan?");
                choices.properties()
                        .forEach(f ->
                                query.append(f.getKey() + "=" + f.getValue().asString() + "&"));
                choices.put("confirm", Json.text(machine.get(query.toString()), "digest"));
                machine.client().post("/sessions/" + top + "/removal", choices);
                return;
            }
            var now = String.valueOf(Json.text(removals.get(0), "state"));
            var path = "/removals/" + removal(machine);
            if (now.equals("hidden") && way.end().equals("undone")) {
                machine.client().post(path + "/undo", Json.object());
            } else if (now.equals("preserving") && state.equals("taking_back")) {
                machine.client().post(path + "/cancel", Json.object());
            } else if (now.equals("purged") && state.equals("restoring")) {
                if (!killed.contains("removal")) machine.sql(List.of(LEAVING));
                var first = removals.get(removals.size() - 1);
                var file = String.valueOf(Json.text(first.get("backup"), "file"));
                machine.client().post("/restores", Json.object().put("file", file));
            }
        }

        /** Looks at the latest removal: every restore, even a failed one, has its own. */
        boolean isOver() {
            return way.end().equals(stateOfLatest(machine));
        }
    }

    private static final String LEAVING =
            "create trigger if not exists hold_removal_update before update of state on removal"
                    + " when old.state = 'restoring' and new.state <> 'restoring' begin select"
                    + " raise(abort, 'held before removal is written'); end";

    /** Backdates the restore so that it expires at once and its rows are purged. */
    private static void passTime(Machine machine) {
        machine.sql(
                List.of(
                        "drop trigger if exists hold_removal_update",
                        "update removal set since = since - 600000 where state = 'restoring'"));
    }

    private String preserved() {
        return UserGit.in(temp.resolve("repo")).text("for-each-ref", "refs/coppice/preserved");
    }

    private void checkWork(Machine machine, String end) throws IOException {
        var made = machine.data().resolve("runner/work/kid").resolve("notes.txt");
        switch (end) {
            case "purged", "restored" -> {
                assertThat(made).doesNotExist();
                if (end.equals("restored")) {
                    assertThat(machine.state("top")).isEqualTo("finished");
                    assertThat(machine.state("kid")).isEqualTo("finished");
                    assertThat(machine.run("result", "kid")).isNotNull();
                } else {
                    assertThat(machine.run(5, "show", "top")).contains("was removed by");
                }
                var removals = machine.get("/removals").get("removals");
                // Newest first: the original removal is the last one, after those of restores.
                var id = Json.text(removals.get(removals.size() - 1), "removal_id");
                var into = temp.toRealPath().resolve("again");
                machine.run("work", "restore", String.valueOf(id), "--into", into.toString());
                assertThat(Files.readString(into.resolve("b.txt")).strip()).isEqualTo("new");
                assertThat(machine.run("work", "list", String.valueOf(id))).contains("plain");
                // A session that is visible again is not found by its name as a removed one.
                if (end.equals("restored")) return;
                machine.run("work", "restore", "kid", "--into", into + "-kid");
                assertThat(Files.readString(Path.of(into + "-kid/notes.txt")).strip())
                        .isEqualTo("dear");
            }
            case "hidden" -> {
                assertThat(machine.run("undo", removal(machine))).contains("restored top");
                assertThat(made).exists();
            }
            default -> {
                // The work is back in place, so the refs to its preserved copy are deleted.
                Eventually.await(() -> preserved().isEmpty(), this::preserved);
                assertThat(machine.state("top")).isEqualTo("finished");
                assertThat(machine.state("kid")).isEqualTo("finished");
                assertThat(made).exists();
            }
        }
    }
}
