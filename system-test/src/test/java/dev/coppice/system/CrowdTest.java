package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.scene.LongForm;
import dev.coppice.scene.Soak;
import dev.coppice.scene.Temporary;
import dev.coppice.store.Stores;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import tools.jackson.databind.JsonNode;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** Runs many sessions at once on two coordinators, one runner each, and one PostgreSQL. */
@Isolated("measures waits under a load of its own")
class CrowdTest {
    private static final int TREES = Soak.size(3, 8);
    private static final int SESSIONS_EACH = Soak.size(4, 6);
    private static final int WRITERS = Soak.size(2, 4);

    /** The queries that wait for a row lock of another transaction. */
    private static final String WAITS_FOR_A_ROW =
            "select a.query from pg_locks l join pg_stat_activity a using (pid)"
                    + " where not l.granted and l.locktype in ('transactionid', 'tuple')"
                    + " and a.datname = current_database()";

    private static final String DEADLOCKS =
            "select deadlocks from pg_stat_database where datname = current_database()";

    @Test
    @LongForm
    void under_load_no_transaction_waits_for_a_row_and_no_run_is_lost() throws Exception {
        var url = Stores.url();
        var backups = Temporary.directory("coppice-crowd").toString();
        var settings = Map.of("COPPICE_DB", url, "COPPICE_BACKUPS", backups);
        try (var one = new Machine(settings);
                var two = new Machine(settings);
                var threads = Executors.newVirtualThreadPerTaskExecutor();
                var connection = DriverManager.getConnection(url)) {
            one.up();
            two.up();
            var over = new AtomicBoolean();
            var watched = CompletableFuture.supplyAsync(() -> watched(connection, over), threads);
            IntStream.range(0, TREES).forEach(i -> start(i % 2 == 0 ? one : two, "top-" + i));
            var load =
                    IntStream.range(0, WRITERS)
                            .mapToObj(i ->
                                    threads.submit(() -> write(i % 2 == 0 ? one : two, i, over)))
                            .toList();
            try {
                Eventually.await(() -> areAllOver(one), () -> "runs: " + states(one));
            } finally {
                over.set(true);
            }
            for (var writer : load) assertThat(writer.get()).isPositive();
            assertThat(states(one)).containsExactly("finished");
            assertThat(watched.get()).as("queries that waited for a row").isEmpty();
            assertThat(asked(connection, DEADLOCKS)).containsExactly("0");
        }
    }

    private static void start(Machine machine, String name) {
        var script = new StringBuilder();
        for (int i = 1; i < SESSIONS_EACH; i++) {
            script.append("spawn %s-%d\n  say here\n".formatted(name, i));
        }
        machine.post(
                "/runs",
                Json.object()
                        .put("session_id", name)
                        .put("session_name", name)
                        .put("execution_mode", "async_poll")
                        .put("prompt", script + "wait all\n")
                        .toString());
    }

    /** Appends events as fast as they are answered, to every tree in turn; returns the number. */
    private static int write(Machine machine, int offset, AtomicBoolean over) {
        int written = 0;
        while (!over.get()) {
            var event = Json.object().put("event_type", "note").put("n", written);
            var path = "/sessions/top-" + (written + offset) % TREES + "/events";
            if (machine.client().post(path, event).isGood()) written++;
        }
        return written;
    }

    private static List<JsonNode> runs(Machine machine) {
        var found = new ArrayList<JsonNode>();
        machine.get("/runs?limit=1000").get("runs").forEach(found::add);
        return found;
    }

    private static boolean areAllOver(Machine machine) {
        var runs = runs(machine);
        return runs.size() >= TREES * SESSIONS_EACH
                && runs.stream().allMatch(r -> r.hasNonNull("completed_at"));
    }

    private static Set<String> states(Machine machine) {
        var found = new TreeSet<String>();
        runs(machine).forEach(r -> found.add(String.valueOf(Json.text(r, "state"))));
        return found;
    }

    private static Set<String> watched(Connection connection, AtomicBoolean over) {
        var found = new TreeSet<String>();
        while (!over.get()) {
            found.addAll(asked(connection, WAITS_FOR_A_ROW));
        }
        return found;
    }

    private static List<String> asked(Connection connection, String question) {
        var found = new ArrayList<String>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(question)) {
            while (rows.next()) found.add(rows.getString(1));
        } catch (SQLException e) {
            throw new AssertionError(question, e);
        }
        return found;
    }
}
