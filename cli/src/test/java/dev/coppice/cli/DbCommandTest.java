package dev.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.boot.Coordinator;
import dev.coppice.boot.SettingsReader;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.client.CoppiceClient;
import dev.coppice.wire.Json;
import dev.coppice.wire.run.RunCalls;
import dev.coppice.wire.run.StartRunRequest;
import dev.coppice.wire.wave.WaveCalls;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The schema of a database on disk, before, beside and after a coordinator. */
class DbCommandTest {
    @TempDir private Path temp;

    private record Answer(Exit exit, String text) {}

    private Map<String, String> environment() {
        return Map.of("COPPICE_DATA", temp.resolve("data").toString(), "COPPICE_PORT", "0");
    }

    private Answer db(String... words) {
        var text = new ByteArrayOutputStream();
        var stream = new PrintStream(text, true, StandardCharsets.UTF_8);
        var nothing = new ByteArrayInputStream(new byte[0]);
        var line = Stream.concat(Stream.of("db"), Stream.of(words)).toList();
        var exit = Main.run(line, new Console(environment(), nothing, stream, stream));
        return new Answer(exit, text.toString(StandardCharsets.UTF_8));
    }

    private static void refused(Answer answer, Exit exit, String... words) {
        assertThat(answer.text()).contains(words);
        assertThat(answer.exit()).isEqualTo(exit);
    }

    @Test
    void a_database_that_cannot_be_read_is_no_internal_error() throws IOException {
        Files.createDirectories(temp.resolve("data"));
        Files.writeString(temp.resolve("data/coppice.db"), "no database ".repeat(1_000));
        for (var action : List.of("status", "verify", "stats", "index", "migrate", "compact")) {
            refused(db(action), Exit.CANNOT_START, "file is not a database");
        }
    }

    @Test
    void the_space_is_measured_and_given_back() throws Exception {
        try (var coordinator =
                Coordinator.start(new SettingsReader(environment()).read(), UpCommand.faces())) {
            assertThat(coordinator.url()).isNotEmpty();
            assertThat(db("stats").text())
                    .containsPattern("TABLE, WITH ITS INDEXES +SIZE +SHARE\\n")
                    .containsPattern("any_session +\\d");
            refused(db("compact"), Exit.CANNOT_START, "another coordinator");
        }
        var file = temp.resolve("data/coppice.db");
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            statement.execute("create table ballast (text text)");
            statement.execute("insert into ballast values (zeroblob(5000000))");
            statement.execute("drop table ballast");
        }
        assertThat(db("stats").text()).containsPattern("of which [45]\\d{3} kB are free");
        assertThat(db("compact").text()).startsWith("compacted 5");
        assertThat(Files.size(file)).isLessThan(2_000_000);
        assertThat(db("verify").exit()).isEqualTo(Exit.OK);
    }

    /** Whatever an older version can hold is the same after the way down and up. */
    @Test
    void a_filled_database_goes_down_and_up_and_says_what_it_lost() throws Exception {
        try (var coordinator =
                Coordinator.start(new SettingsReader(environment()).read(), UpCommand.faces())) {
            var token = Files.readString(temp.resolve("data/token")).strip();
            var client = new CoppiceClient(URI.create(coordinator.url()), token);
            client.call(RunCalls.START, StartRunRequest.of("kept", null, "say hello"));
            var wave = Json.as("{\"name\":\"w\",\"members\":[]}", WaveCalls.Start.class);
            assertThat(client.call(WaveCalls.START, wave).isGood()).isTrue();
        }
        var before = rows();
        for (var step :
                List.of(
                        "0015_", "0014_", "0013_", "0012_", "0011_", "0010_", "0009_", "0008_",
                        "0007_")) {
            assertThat(db("rollback", "--yes").text()).startsWith("rolled back " + step);
        }
        assertThat(db("rollback", "--yes").text())
                .contains("no longer in it: 1 waves, with what they have yet to start");
        assertThat(db("rollback", "--yes").text()).startsWith("rolled back 0005_relationships");
        assertThat(db("migrate").text()).contains("took 11 steps");
        assertThat(rows()).isEqualTo(before);
        assertThat(db("verify").exit()).isEqualTo(Exit.OK);
        try (var coordinator =
                Coordinator.start(new SettingsReader(environment()).read(), UpCommand.faces())) {
            assertThat(coordinator.url()).isNotEmpty();
        }
    }

    @Test
    void an_index_for_other_programs_is_added_and_dropped_without_a_coordinator() {
        try (var _ =
                Coordinator.start(new SettingsReader(environment()).read(), UpCommand.faces())) {
            assertThat(db("index").text()).containsPattern("events.session_depth +no");
            refused(
                    db("index", "add", "events.session_depth"),
                    Exit.CANNOT_START,
                    "another coordinator");
        }
        assertThat(db("index", "add", "events.session_depth").text())
                .containsPattern("events.session_depth +yes")
                .containsPattern("events.hook_event_type +no");
        assertThat(db("verify").exit()).isEqualTo(Exit.OK);
        refused(db("index", "add"), Exit.USAGE, "COLUMN is missing", "events.parent_session_id");
        refused(
                db("index", "add", "events.payload"),
                Exit.USAGE,
                "no index can be added for 'events.payload'");
        refused(db("verify", "add"), Exit.USAGE, "unexpected argument 'add'");
        assertThat(db("rollback", "--yes").text())
                .contains("no longer in it: the index on events.session_depth");
        assertThat(db("migrate").text()).isEqualTo("took 1 step\n");
        assertThat(db("index", "add", "events.session_depth", "--json").text())
                .contains("{\"column\":\"events.session_depth\",\"present\":true}");
        assertThat(db("index", "drop", "events.session_depth").text()).doesNotContain("yes");
        assertThat(db("verify").exit()).isEqualTo(Exit.OK);
    }

    private List<String> rows() throws SQLException {
        var rows = new ArrayList<String>();
        try (var connection =
                        DriverManager.getConnection(
                                "jdbc:sqlite:" + temp.resolve("data/coppice.db"));
                var statement = connection.createStatement()) {
            for (var query :
                    List.of(
                            "select id, name, state, path from any_session order by key",
                            "select id, state, parameters from run order by key",
                            "select number, type, session_id, body from event order by number",
                            "select parent_id, child_id, type from relationship order by key")) {
                try (var found = statement.executeQuery(query)) {
                    int columns = found.getMetaData().getColumnCount();
                    while (found.next()) {
                        var row = new StringBuilder();
                        for (int i = 1; i <= columns; i++)
                            row.append(found.getString(i)).append('|');
                        rows.add(row.toString());
                    }
                }
            }
        }
        return rows;
    }

    @Test
    void a_rollback_copies_the_database_and_can_be_migrated_again() throws IOException {
        refused(db("status"), Exit.CANNOT_START, "there is no database at");
        refused(db("sideways"), Exit.USAGE, "'sideways' is not one of status, migrate");
        try (var _ =
                Coordinator.start(new SettingsReader(environment()).read(), UpCommand.faces())) {
            assertThat(db("status").text()).containsPattern("0001_tables +taken 20");
            assertThat(db("verify").exit()).isEqualTo(Exit.OK);
            refused(db("rollback", "--yes"), Exit.CANNOT_START, "another coordinator");
        }
        refused(db("rollback"), Exit.USAGE, "--yes");
        var steps = db("status").text().strip().lines().toList();
        var last = steps.getLast().split(" ", 2)[0];
        assertThat(db("rollback", "--yes").text()).startsWith("rolled back " + last + "; ");
        assertThat(db("status").text()).containsPattern(last + " +pending");
        assertThat(db("verify", "--json").text()).contains("step " + last + " is pending");
        try (var copies = Files.list(temp.resolve("data/backups"))) {
            var copy = copies.toList();
            assertThat(copy).hasSize(1);
            var modes =
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(copy.getFirst()));
            assertThat(modes).isEqualTo("rw-------");
        }
        assertThat(db("migrate").text()).isEqualTo("took 1 step\n");
        assertThat(db("verify").exit()).isEqualTo(Exit.OK);
        assertThat(List.of(db("migrate").text())).containsExactly("took 0 steps\n");
    }
}
