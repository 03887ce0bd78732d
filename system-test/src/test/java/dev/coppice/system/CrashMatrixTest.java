package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.removal.RemovalState;
import dev.coppice.scene.UserGit;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;
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
 * The coordinator and its runner are killed in every state a removal can be in, before it first
 * writes to each of the tables it writes to there, and before the next state: real processes, real
 * git, real SQLite. Triggers in the database hold the removal while they die. The states are listed
 * from the code and the tables from the database, so a new state without its way here fails, and a
 * new write has its crash.
 */
class CrashMatrixTest {
    private static final String NOW = "{\"purge\":\"now\",\"running\":\"stop\"}";
    private static final String LATER = "{\"running\":\"stop\"}";
    private static final String DETACH = "{\"children\":\"detach\",\"running\":\"stop\"}";
    private static final int KILLS_MAX = 30;
    private static final Pattern HELD = Pattern.compile("held before ([a-z_]+) is written");

    /** Written all the time, by whoever is there. */
    private static final Set<String> NOT_OF_REMOVALS = Set.of("runner", "sqlite_sequence");

    /** How each state is come by, and where it must end. */
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

    static List<String> states() {
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
     * A root that works in a repository of the user's, a child in a directory of Coppice's, and one
     * whose processes still run and whose end is owed to the root.
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

    private static List<String> tables(Machine machine) {
        var tables = new ArrayList<String>();
        try (var connection = machine.database();
                var statement = connection.createStatement();
                var rows =
                        statement.executeQuery(
                                "select name from sqlite_master where type = 'table'")) {
            while (rows.next()) tables.add(rows.getString(1));
        } catch (SQLException e) {
            throw new AssertionError("listing the tables", e);
        }
        tables.removeAll(NOT_OF_REMOVALS);
        return tables;
    }

    private static final List<String> WRITES = List.of("insert", "update", "delete");

    /** As long as a removal is in this state, whoever writes is told that it cannot be. */
    private static void hold(Machine machine, String state) {
        var triggers = new ArrayList<String>();
        for (var table : tables(machine)) {
            for (var write : WRITES) triggers.add(trigger(state, table, write));
        }
        // Every piece that comes in writes that it came; only the step out of it is held.
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

    private static void letGo(Machine machine, String table) {
        machine.sql(
                WRITES.stream()
                        .map(w -> "drop trigger if exists hold_%s_%s".formatted(table, w))
                        .toList());
    }

    private static @Nullable JsonNode latest(Machine machine) {
        var all = machine.get("/removals").get("removals");
        return all.isEmpty() ? null : all.get(0);
    }

    /** Null as long as no removal was accepted: a plan may change before it is confirmed. */
    private static @Nullable String stateOfLatest(Machine machine) {
        var latest = latest(machine);
        return latest == null ? null : Json.text(latest, "state");
    }

    private static String removal(Machine machine) {
        return String.valueOf(Json.text(latest(machine), "removal_id"));
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("states")
    void killed_before_any_of_its_writes_it_ends_with_nothing_lost_and_nothing_left(String state)
            throws IOException {
        var way = WAYS.get(state);
        assertThat(way).as("how a removal comes to be " + state).isNotNull();
        try (var machine = new Machine()) {
            var up = Machine.ready(started(machine));
            var repo = grown(machine);
            var killed = new ArrayList<String>();
            var asked = new Asked(machine, state, way, id(machine), killed);
            var index = Files.readAllBytes(repo.resolve(".git/index"));
            hold(machine, state);
            for (var held = awaitHeld(up, asked); !held.isEmpty(); held = awaitHeld(up, asked)) {
                up.kill();
                held.forEach(table -> letGo(machine, table));
                killed.addAll(held);
                if (state.equals("restoring")) passTime(machine);
                assertThat(killed).hasSizeLessThan(KILLS_MAX);
                up = started(machine);
            }
            assertThat(killed).as("was held while " + state).contains("removal", "audit");
            if (state.equals("fencing")) assertThat(killed).contains("errand", "work_item");
            assertThat(Files.readAllBytes(repo.resolve(".git/index"))).isEqualTo(index);
            check(machine, repo, state.equals("restoring") ? "restored" : way.end());
        }
    }

    enum Killed {
        COORDINATOR,
        RUNNER
    }

    /** The other one goes on, with an answer that nobody takes, or an errand that nobody does. */
    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @CsvSource({"preserving, COORDINATOR", "purging, RUNNER"})
    void one_of_the_two_is_killed_at_each_of_these_writes(String state, Killed who)
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
                held.forEach(table -> letGo(machine, table));
                killed.addAll(held);
                assertThat(killed).hasSizeLessThan(KILLS_MAX);
                if (who == Killed.RUNNER) runner = machine.start("runner");
                else up = machine.start("up", "--no-runner", "--port", port);
            }
            assertThat(killed).contains("removal", "audit", "errand");
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

    /** The tables before which it is held now; none when it has come to its end. */
    private static Set<String> awaitHeld(Machine.Program up, Asked asked) {
        var held = new TreeSet<String>();
        Machine.await(
                () -> {
                    // It writes when it starts, too, and may not get any further.
                    boolean isUp = up.text().contains("Coppice is up at");
                    if (isUp) asked.goOn();
                    var said = HELD.matcher(up.text());
                    while (said.find()) held.add(said.group(1));
                    // Of those that were let go only what it said before is left.
                    held.removeAll(asked.killed());
                    // What a failed restore takes back is not to be taken back before the kill.
                    if (asked.state().equals("restoring") && held.size() > 1)
                        held.remove("removal");
                    return !held.isEmpty() || (isUp && asked.isOver());
                },
                () -> up.text() + "\n" + latest(asked.machine()));
        return held;
    }

    /** What people ask for, until it is done; whoever hears of a failure asks again. */
    private record Asked(Machine machine, String state, Way way, String top, List<String> killed) {
        void goOn() {
            var removals = machine.get("/removals").get("removals");
            if (removals.isEmpty()) {
                // Confirmed, so that it is looked at again under the fence.
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

        /** A restore is a removal of its own, also one that broke. */
        boolean isOver() {
            return way.end().equals(stateOfLatest(machine));
        }
    }

    private static final String LEAVING =
            "create trigger if not exists hold_removal_update before update of state on removal"
                    + " when old.state = 'restoring' and new.state <> 'restoring' begin select"
                    + " raise(abort, 'held before removal is written'); end";

    /** Whoever read the file is given up at once, and what came of it is purged. */
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
                // A restore is a removal of its own, and the last is the one before.
                var id = Json.text(removals.get(removals.size() - 1), "removal_id");
                var into = temp.toRealPath().resolve("again");
                machine.run("work", "restore", String.valueOf(id), "--into", into.toString());
                assertThat(Files.readString(into.resolve("b.txt")).strip()).isEqualTo("new");
                assertThat(machine.run("work", "list", String.valueOf(id))).contains("plain");
                // Who is in sight again is not asked for as one that was removed.
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
                // Its work is where it was, so the refs to what was kept of it go.
                Machine.await(() -> preserved().isEmpty(), this::preserved);
                assertThat(machine.state("top")).isEqualTo("finished");
                assertThat(machine.state("kid")).isEqualTo("finished");
                assertThat(made).exists();
            }
        }
    }
}
