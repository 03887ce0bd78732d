package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.client.RawClient;
import dev.coppice.scene.Eventually;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** {@code coppice up}: its start, the conditions that prevent it, and its end. */
class UpTest {
    @Test
    void line_8_a_start_says_its_address_and_what_to_do_next() {
        try (var machine = new Machine()) {
            assertThat(machine.up().text())
                    .startsWith("Coppice is up at http://127.0.0.1:" + machine.port())
                    .contains("Next, in another terminal:", "coppice start hello");
            assertThat(machine.get("/health").get("status").asString()).isEqualTo("healthy");
        }
    }

    /** The code of each start, which signs in for ten minutes, was in the log of a service. */
    @Test
    void a_start_writes_no_code_into_a_file_that_keeps_its_output() {
        try (var machine = new Machine()) {
            assertThat(machine.up("--no-runner").text())
                    .contains("Dashboard: " + machine.url() + ", where 'coppice open'")
                    .doesNotContain("sign-in=");
        }
    }

    @Test
    void each_start_says_which_port_needs_no_token_and_which_takes_one_in_its_address() {
        var settings = Map.of("COPPICE_PATH_PORTS", "0");
        try (var machine = new Machine(settings)) {
            for (int i = 0; i < 2; i++) {
                var up = machine.up("--no-runner", "--compat-port", "0", "--compat-open");
                assertThat(up.text())
                        .contains("WITHOUT A TOKEN", "answer questions of agents")
                        .contains("/t/TOKEN, also for an operator's TOKEN");
                up.process().destroy();
                up.awaitExit();
            }
        }
    }

    @Test
    void the_token_is_created_once_and_only_its_owner_can_read_it() throws IOException {
        try (var machine = new Machine()) {
            var up = machine.up("--no-runner");
            var token = machine.read("token");
            var file = machine.data().resolve("token");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            up.process().destroy();
            up.awaitExit();
            machine.up("--no-runner");
            assertThat(machine.read("token")).isEqualTo(token);
        }
    }

    @Test
    void a_port_in_use_is_refused_before_any_file_is_created() throws IOException {
        try (var machine = new Machine();
                var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var output = machine.run(9, "up", "--port", Integer.toString(taken.getLocalPort()));
            assertThat(output).contains("port " + taken.getLocalPort()).contains("is taken");
            assertThat(machine.data().resolve("coppice.db")).doesNotExist();
        }
    }

    @Test
    void a_second_coordinator_on_the_same_data_is_refused_and_the_first_continues() {
        try (var machine = new Machine()) {
            machine.up("--no-runner");
            var output = machine.run(9, "up", "--port", "0");
            assertThat(output).contains("another coordinator already uses the data directory");
            assertThat(machine.get("/health").get("status").asString()).isEqualTo("healthy");
        }
    }

    @Test
    void a_data_directory_that_is_a_file_is_refused() throws IOException {
        try (var machine = new Machine()) {
            var file = Files.createFile(machine.data().resolve("file"));
            assertThat(machine.run(9, "up", "--port", "0", "--data", file.toString()))
                    .contains("is a file");
        }
    }

    @Test
    void a_database_of_a_newer_version_is_refused() throws SQLException {
        try (var machine = new Machine()) {
            var up = machine.up("--no-runner");
            up.process().destroy();
            up.awaitExit();
            var url = "jdbc:sqlite:" + machine.data().resolve("coppice.db");
            try (var connection = DriverManager.getConnection(url);
                    var statement = connection.createStatement()) {
                statement.execute("insert into migration values (999, '0999_future', 'x', 0)");
            }
            assertThat(machine.run(9, "up", "--port", "0")).contains("newer version of Coppice");
        }
    }

    @Test
    void an_invalid_setting_is_refused_with_its_name_and_value() {
        try (var machine = new Machine()) {
            assertThat(machine.run(9, "up", "--port", "99999"))
                    .contains("COPPICE_PORT")
                    .contains("99999");
        }
    }

    @Test
    void stopping_the_coordinator_ends_every_agent_and_stops_the_sessions() {
        try (var machine = new Machine()) {
            var up = machine.up();
            machine.run(
                    "start",
                    "stubborn",
                    "--mode",
                    "async_poll",
                    "-p",
                    "ignore-term\nleave-behind 600\nhang");
            machine.awaitState("stubborn", "running");
            var run = machine.get("/runs").get("runs").get(0).get("run_id").asString();
            Eventually.await(
                    () -> machine.carrying("COPPICE_RUN_ID=" + run).size() >= 2,
                    () -> "the agent and what it leaves behind");
            up.process().destroy();
            assertThat(up.awaitExit()).isIn(0, 143);
            assertThat(machine.carrying("COPPICE_RUN_ID=" + run)).isEmpty();
            machine.up("--no-runner");
            machine.nobodyLooks();
            assertThat(machine.state("stubborn")).isEqualTo("stopped");
        }
    }

    @Test
    void a_command_without_a_coordinator_reports_that_none_answers() {
        try (var machine = new Machine()) {
            assertThat(machine.run(4, "list")).contains("no coordinator answers");
        }
    }

    @Test
    void without_a_token_nothing_but_health_answers() {
        try (var machine = new Machine()) {
            machine.up("--no-runner");
            var stranger = new RawClient(URI.create(machine.read("url")), "wrong");
            assertThat(stranger.get("/health").status()).isEqualTo(200);
            assertThat(stranger.get("/sessions").status()).isEqualTo(401);
            assertThat(stranger.get("/openapi.json").status()).isEqualTo(401);
        }
    }

    @Test
    void the_next_start_closes_a_data_directory_that_others_could_read() throws Exception {
        try (var machine = new Machine()) {
            machine.up().kill();
            var data = machine.data();
            for (var name : List.of(".", "coppice.db", "token", "backups", "runner")) {
                var mode =
                        name.equals("coppice.db") || name.equals("token")
                                ? "rw-r--r--"
                                : "rwxr-xr-x";
                Files.setPosixFilePermissions(
                        data.resolve(name), PosixFilePermissions.fromString(mode));
            }
            machine.up();
            for (var name : List.of(".", "coppice.db", "token", "backups", "runner")) {
                var left =
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(data.resolve(name)));
                assertThat(left).as(name).endsWith("------");
            }
        }
    }

    /** The database driver unpacks a library, which a killed process cannot delete. */
    @Test
    void the_next_start_deletes_libraries_unpacked_by_a_killed_coordinator() throws Exception {
        try (var machine = new Machine()) {
            for (int i = 0; i < 3; i++) machine.up("--no-runner").kill();
            machine.up("--no-runner");
            try (var all = Files.list(machine.data().resolve("native"))) {
                assertThat(all.filter(p -> p.toString().endsWith(".so"))).hasSize(1);
            }
        }
    }

    @Test
    void a_damaged_database_is_reported_by_fsck_doctor_and_health_after_a_crash() throws Exception {
        try (var machine = new Machine()) {
            var up = machine.up("--no-runner");
            for (int i = 0; i < 300; i++) {
                machine.post("/sessions", "{\"session_name\":\"s%d\"}".formatted(i));
            }
            machine.sql(List.of("pragma wal_checkpoint(truncate)"));
            up.kill();
            try (var file =
                    new java.io.RandomAccessFile(
                            machine.data().resolve("coppice.db").toFile(), "rw")) {
                // Pages of an index, far behind the schema.
                for (long page = file.length() / 4096 - 12;
                        page < file.length() / 4096 - 2;
                        page++) {
                    file.seek(page * 4096 + 16);
                    file.write(new byte[400]);
                }
            }
            machine.up("--no-runner");
            Eventually.await(
                    () -> machine.client().get("/health").body().toString().contains("is damaged"),
                    () -> machine.client().get("/health").body().toString());
            assertThat(machine.run(11, "doctor")).contains("is damaged");
            machine.client().get("/fsck?wait=0s");
        } catch (AssertionError e) {
            // Machine.close runs fsck, which finds the damage too.
            if (!String.valueOf(e.getMessage()).startsWith("left over")) throw e;
            assertThat(e).hasMessageContaining("damage of the database");
        }
    }
}
