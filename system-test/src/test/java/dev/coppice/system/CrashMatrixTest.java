package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.removal.RemovalState;
import dev.coppice.runner.unsaved.Git;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The coordinator and its runner are killed in every state a removal can be in, and before the
 * next: real processes, real git, real SQLite. A trigger in the database holds the removal in the
 * state while they die. The states are listed from the code, so a new one without its way here
 * fails.
 */
class CrashMatrixTest {
    private static final String NOW = "{\"purge\":\"now\",\"running\":\"stop\"}";
    private static final String LATER = "{\"running\":\"stop\"}";
    private static final String DETACH = "{\"children\":\"detach\",\"running\":\"stop\"}";

    /** How each state is come by, and where it must end. */
    private static final Map<String, Way> WAYS =
            Map.ofEntries(
                    Map.entry("fencing", new Way(NOW, "purged")),
                    Map.entry("quiescing", new Way(NOW, "purged")),
                    Map.entry("preserving", new Way(NOW, "purged")),
                    Map.entry("backing_up", new Way(NOW, "purged")),
                    Map.entry("detaching", new Way(DETACH, "hidden")),
                    Map.entry("hiding", new Way(NOW, "purged")),
                    Map.entry("hidden", new Way(LATER, "hidden")),
                    Map.entry("undoing", new Way(LATER, "undone")),
                    Map.entry("taking_back", new Way(LATER, "taken_back")),
                    Map.entry("purging", new Way(NOW, "purged")),
                    Map.entry("restoring", new Way(NOW, "purged")));

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
        Git.in(temp).text("init", "-q", "-b", "main", repo.toString());
        Files.writeString(repo.resolve("a.txt"), "one\n");
        Git.in(repo).text("add", "-A");
        Git.in(repo).text("-c", "user.name=u", "-c", "user.email=u@x", "commit", "-q", "-m", "m");
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
        machine.awaitState("busy", "running");
        return repo;
    }

    private static String id(Machine machine) {
        return String.valueOf(
                Json.text(machine.get("/sessions/by-name/top").get("session"), "session_id"));
    }

    private static void sql(Machine machine, String sql) {
        var url = "jdbc:sqlite:" + machine.data().resolve("coppice.db");
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            statement.execute("pragma busy_timeout = 10000");
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    /** Whoever wants to leave the state is told that it cannot be, until the trigger goes. */
    private static void hold(Machine machine, String state, String onlyTo) {
        sql(
                machine,
                "create trigger hold_%1$s before update of state on removal when old.state = '%1$s' and new.state <> '%1$s' %2$s begin select raise(abort, 'held'); end"
                        .formatted(state, onlyTo));
    }

    private static JsonNode latest(Machine machine) {
        return machine.get("/removals").get("removals").get(0);
    }

    private static void await(Machine machine, String state) {
        Machine.await(
                () -> state.equals(Json.text(latest(machine), "state")),
                () -> state + " is awaited: " + latest(machine));
    }

    private static String removal(Machine machine) {
        return String.valueOf(Json.text(latest(machine), "removal_id"));
    }

    @ParameterizedTest
    @MethodSource("states")
    void killed_in_any_state_it_ends_with_nothing_lost_and_nothing_left(String state)
            throws IOException {
        var way = WAYS.get(state);
        assertThat(way).as("how a removal comes to be " + state).isNotNull();
        try (var machine = new Machine()) {
            var up = machine.up();
            var repo = grown(machine);
            var index = Files.readAllBytes(repo.resolve(".git/index"));
            hold(machine, state, "");
            bringTo(machine, state, way);
            await(machine, state);
            up.kill();
            sql(machine, "drop trigger hold_" + state);
            if (state.equals("taking_back")) sql(machine, "drop trigger hold_preserving");
            if (state.equals("restoring")) {
                sql(machine, "update removal set since = since - 600000 where state = 'restoring'");
            }
            machine.up();
            await(machine, way.end());
            assertThat(Files.readAllBytes(repo.resolve(".git/index"))).isEqualTo(index);
            assertThat(Files.readString(repo.resolve("b.txt")).strip()).isEqualTo("new");
            assertThat(machine.run("fsck")).contains("nothing points to anything that is gone");
            checkWork(machine, way);
        }
    }

    private static void bringTo(Machine machine, String state, Way way) {
        var path = "/sessions/" + id(machine) + "/removal";
        switch (state) {
            case "undoing" -> {
                machine.post(path + "?wait=20s", way.choices());
                machine.post("/removals/" + removal(machine) + "/undo", "{}");
            }
            case "taking_back" -> {
                hold(machine, "preserving", "and new.state <> 'taking_back'");
                machine.post(path, way.choices());
                await(machine, "preserving");
                machine.post("/removals/" + removal(machine) + "/cancel", "{}");
            }
            case "restoring" -> {
                machine.post(path + "?wait=20s", way.choices());
                await(machine, "purged");
                var file = Json.text(latest(machine).get("backup"), "file");
                // It cannot be finished, and is not there for anyone to see.
                machine.client().post("/restores", Json.object().put("file", String.valueOf(file)));
            }
            default -> machine.post(path, way.choices());
        }
    }

    private String preserved() {
        return Git.in(temp.resolve("repo")).text("for-each-ref", "refs/coppice/preserved");
    }

    private void checkWork(Machine machine, Way way) throws IOException {
        var made = machine.data().resolve("runner/work/kid").resolve("notes.txt");
        switch (way.end()) {
            case "purged" -> {
                assertThat(machine.run(5, "show", "top")).contains("was removed by");
                assertThat(made).doesNotExist();
                var removals = machine.get("/removals").get("removals");
                // A restore that broke is a removal of its own, and the last is the one before.
                var id = Json.text(removals.get(removals.size() - 1), "removal_id");
                var into = temp.toRealPath().resolve("again");
                machine.run("work", "restore", String.valueOf(id), "--into", into.toString());
                assertThat(into.resolve("b.txt")).exists();
                assertThat(machine.run("work", "list", String.valueOf(id))).contains("plain");
            }
            case "hidden" -> {
                assertThat(machine.run("undo", removal(machine))).contains("top is back");
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
