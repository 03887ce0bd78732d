package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.store.Stores;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs the whole product on PostgreSQL, and on a full disk. */
class DatabasesTest {
    private static final String TREE =
            """
            spawn c1
              spawn c2
                say leaf
              wait all
            wait all
            """;

    @Test
    void a_tree_on_postgresql_survives_a_crash() {
        try (var machine = new Machine(Map.of("COPPICE_DB", Stores.url()))) {
            var up = machine.up();
            assertThat(machine.run("start", "c0", "-p", TREE)).contains("c2 finished: leaf");
            assertThat(machine.data().resolve("coppice.db")).doesNotExist();
            up.kill();
            machine.up();
            assertThat(machine.run("tree", "c0")).contains("└─ c1", "   └─ c2");
            assertThat(machine.run("resume", "c0", "-p", "say again")).contains("again");
        }
    }

    /**
     * Files are limited to 4 MB: writes fail, reads continue, and no acknowledged event is lost.
     */
    @Test
    void a_full_disk_refuses_writes_and_loses_no_acknowledged_event() {
        try (var machine = new Machine()) {
            var up =
                    Machine.ready(
                            machine.startLimited(
                                    "ulimit -f 4000", "up", "--port", "0", "--no-runner"));
            machine.post("/sessions", "{\"session_id\":\"s\"}");
            var body = Json.object().put("event_type", "big").put("text", "x".repeat(100_000));
            var answered = new ArrayList<Integer>();
            int status = 201;
            for (int i = 0; i < 200 && status == 201; i++) {
                status = machine.client().post("/sessions/s/events", body.put("n", i)).status();
                if (status == 201) answered.add(i);
            }
            assertThat(status).isEqualTo(503);
            assertThat(answered).isNotEmpty();
            assertThat(machine.get("/sessions/s").get("session").get("session_id").asString())
                    .isEqualTo("s");
            up.kill();
            machine.up("--no-runner");
            assertThat(stored(machine)).containsAll(answered);
            machine.post("/sessions", "{}");
        }
    }

    /** The numbers in the events of the session. A page ends at its limit of bytes. */
    private static List<Integer> stored(Machine machine) {
        var found = new ArrayList<Integer>();
        var after = "0";
        while (after != null) {
            var page = machine.get("/sessions/s/events?limit=1000&after=" + after);
            page.get("events").forEach(e -> found.add(e.get("n").asInt()));
            after = Json.text(page, "next");
        }
        return found;
    }
}
