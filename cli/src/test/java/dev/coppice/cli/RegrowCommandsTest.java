package dev.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.boot.Coordinator;
import dev.coppice.boot.SettingsReader;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Terminal;
import dev.coppice.client.RawClient;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Children, backups, the audit and imports, through the command line. */
class RegrowCommandsTest {
    private static final String FOREIGN =
            """
            create table sessions (session_id text primary key, status text not null,
                created_at text not null, project_dir text, agent_name text, last_resumed_at text,
                parent_session_id text, executor_session_id text, executor_profile text,
                hostname text);
            create table runs (run_id text primary key, session_id text not null,
                type text not null, agent_name text, parameters text not null, project_dir text,
                parent_session_id text, execution_mode text default 'sync', demands text,
                status text default 'pending', runner_id text, error text, created_at text not null,
                claimed_at text, started_at text, completed_at text, timeout_at text, scope text,
                resolved_agent_blueprint text);
            insert into sessions (session_id, status, created_at) values
                ('root', 'finished', '2026-01-01T10:00:00'),
                ('orphan', 'finished', '2026-01-01T10:02:00'),
                ('other', 'finished', '2026-01-01T10:03:00');
            insert into runs (run_id, session_id, type, parameters, parent_session_id, status,
                    created_at)
                values ('run_2', 'orphan', 'start_session', '{"prompt":"y"}', 'deleted',
                    'completed', '2026-01-01T10:02:00'),
                ('run_3', 'other', 'start_session', '{"prompt":"y"}', 'deleted',
                    'completed', '2026-01-01T10:02:00');
            """;

    @TempDir Path temp;
    private @org.jspecify.annotations.Nullable Coordinator coordinator;

    @BeforeEach
    void begin() {
        var settings = Map.of("COPPICE_DATA", data(), "COPPICE_PORT", "0");
        coordinator = Coordinator.start(new SettingsReader(settings).read(), UpCommand.faces());
    }

    @AfterEach
    void end() {
        assertThat(run(Exit.OK, "fsck")).contains("no references to missing");
        Objects.requireNonNull(coordinator).close();
    }

    private String data() {
        return temp.resolve("data").toString();
    }

    private String run(Exit expected, String... line) {
        return run(Map.of("COPPICE_DATA", data()), expected, line);
    }

    private static String run(Map<String, String> environment, Exit expected, String... line) {
        var said = new ByteArrayOutputStream();
        var stream = new PrintStream(said, true, StandardCharsets.UTF_8);
        var nothing = new ByteArrayInputStream(new byte[0]);
        var console = new Console(environment, nothing, stream, stream);
        var exit = Main.run(List.of(line), console);
        var text = said.toString(StandardCharsets.UTF_8);
        assertThat(exit).as(text).isEqualTo(expected);
        return text;
    }

    private Path foreign() throws SQLException {
        var file = temp.resolve("old.db");
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = connection.createStatement()) {
            for (var sql : FOREIGN.split(";\n", -1)) if (!sql.isBlank()) statement.execute(sql);
        }
        return file;
    }

    private void tamper(String... all) throws SQLException {
        var url = "jdbc:sqlite:" + Path.of(data()).resolve("coppice.db");
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            statement.execute("pragma busy_timeout = 10000");
            for (var sql : all) statement.execute(sql);
        }
    }

    /** Imports two trees: root with its child orphan, and other. */
    private void imported() throws SQLException {
        run(
                Exit.OK,
                "import",
                foreign().toString(),
                "--attach",
                "orphan=root",
                "--orphans",
                "root");
    }

    @Test
    void an_import_needs_a_decision_about_every_orphan() throws Exception {
        var file = foreign().toString();
        assertThat(run(Exit.OK, "import", file, "--dry-run"))
                .contains(
                        "orphan is an orphan: its parent deleted is not in the database",
                        "other is an orphan");
        assertThat(run(Exit.USAGE, "import", file)).contains("2 sessions have no parent; pass");
        assertThat(run(Exit.USAGE, "import", file, "--attach", "orphan")).contains("ID=PARENT");
        var decided = new String[] {"import", file, "--attach", "orphan=root", "--orphans", "skip"};
        run(Exit.OK, decided);
        assertThat(run(Exit.OK, "children", "root")).contains("orphan");
        assertThat(run(Exit.REFUSED, decided)).contains("ids already in use: 'root'", "--new-ids");
        assertThat(run(Exit.OK, "list")).doesNotContain("other");
        assertThat(run(Exit.REFUSED, "import", temp.resolve("data/token").toString()))
                .doesNotContain("Exception");
    }

    @Test
    void on_a_terminal_import_asks_about_each_orphan() throws Exception {
        var file = foreign().toString();
        var said = new ByteArrayOutputStream();
        var stream = new PrintStream(said, true, StandardCharsets.UTF_8);
        var answers = new ByteArrayInputStream("nobody\n\nskip\n".getBytes(StandardCharsets.UTF_8));
        var environment = Map.of("COPPICE_DATA", data(), "NO_COLOR", "1");
        var console =
                new Console(
                        environment,
                        answers,
                        stream,
                        stream,
                        Console.Readers.PEOPLE,
                        new Terminal("012"),
                        temp);
        var exit = Main.run(List.of("import", file), console);
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("Parent of orphan", "Answer again.", "Parent of other");
        assertThat(exit).isEqualTo(Exit.OK);
        assertThat(run(Exit.OK, "list")).contains("root", "orphan").doesNotContain("other");
    }

    @Test
    void children_are_listed_and_counted() throws Exception {
        imported();
        assertThat(run(Exit.OK, "children", "root")).contains("orphan").doesNotContain("other");
        assertThat(run(Exit.OK, "children", "root", "--count").strip()).isEqualTo("1");
        assertThat(run(Exit.OK, "children", "orphan", "--count").strip()).isEqualTo("0");
    }

    @Test
    void a_backup_is_verified_without_a_coordinator() throws Exception {
        imported();
        var file = temp.resolve("root.coppice");
        run(Exit.OK, "backup", "root", "--to", file.toString());
        var none = temp.resolve("none.coppice");
        run(Exit.NOT_FOUND, "backup", "rem_none", "--to", none.toString());
        assertThat(none).doesNotExist();
        var absent = Map.of("COPPICE_URL", "http://127.0.0.1:9", "COPPICE_TOKEN", "x");
        assertThat(run(absent, Exit.OK, "backup", "verify", file.toString()))
                .contains("is intact: root with 2 sessions");
        var bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        assertThat(run(absent, Exit.REFUSED, "backup", "verify", file.toString()))
                .contains("is damaged");
    }

    @Test
    void an_earlier_removal_is_restored_from_the_backup_of_a_larger_one() throws Exception {
        imported();
        run(Exit.OK, "rm", "orphan", "--yes");
        run(Exit.OK, "rm", "root", "--yes");
        var all = Json.read(run(Exit.OK, "removals", "--json")).get("removals");
        var outer = all.get(0).get("removal_id").asString();
        var inner = all.get(1).get("removal_id").asString();
        assertThat(run(Exit.REFUSED, "removals", outer, "purge"))
                .contains("can still be undone: '" + inner + "' of 'orphan'");
        run(Exit.OK, "removals", inner, "purge");
        run(Exit.OK, "removals", outer, "purge");
        var file = temp.resolve("root.coppice").toString();
        var hint =
                "orphan was removed earlier, with 1 session; restore it with: coppice restore "
                        + file;
        assertThat(run(Exit.OK, "backup", outer, "--to", file)).contains(hint);
        assertThat(run(Exit.OK, "restore", file)).contains("restored root", hint);
        assertThat(run(Exit.REFUSED, "restore", file, "--removal", "rem_none"))
                .contains("there is no backup of a removal 'rem_none' in the file");
        assertThat(run(Exit.OK, "restore", file, "--removal", inner)).contains("restored orphan");
        assertThat(run(Exit.OK, "children", "root")).contains("orphan");
    }

    @Test
    void audit_verify_names_changed_moved_and_deleted_records() throws Exception {
        imported();
        run(Exit.OK, "rm", "root", "--yes", "--now");
        run(Exit.OK, "rm", "other", "--yes", "--now");
        var whole = run(Exit.OK, "audit", "verify");
        var head = whole.substring(whole.indexOf("head ") + 5).strip();
        assertThat(run(Exit.OK, "audit", "verify", "--head", head)).isEqualTo(whole);
        var along = run(Exit.OK, "audit", "orphan");
        assertThat(along).contains("removal.purged", "root").doesNotContain("other");
        assertThat(run(Exit.OK, "audit", "root")).contains("removal.purged");
        tamper("drop trigger audit_fixed", "drop trigger audit_kept");
        tamper("update audit set act = act || '!' where number = 2");
        assertThat(run(Exit.SICK, "audit", "verify")).contains("✗ record 2 was changed");
        tamper("update audit set act = substr(act, 1, length(act) - 1) where number = 2");
        assertThat(run(Exit.OK, "audit", "verify")).isEqualTo(whole);
        var swap =
                new String[] {
                    "update audit set number = -4 where number = 4",
                    "update audit set number = 4 where number = 5",
                    "update audit set number = 5 where number = -4"
                };
        tamper(swap);
        assertThat(run(Exit.SICK, "audit", "verify")).contains("✗ record 4 ");
        tamper(swap);
        tamper("delete from audit where number = 3");
        assertThat(run(Exit.SICK, "audit", "verify")).contains("✗ record 3 is missing");
    }

    @Test
    void audit_verify_with_head_detects_that_the_end_was_cut_off() throws Exception {
        imported();
        run(Exit.OK, "rm", "root", "--yes", "--now");
        var whole = run(Exit.OK, "audit", "verify");
        var head = whole.substring(whole.indexOf("head ") + 5).strip();
        tamper(
                "drop trigger audit_kept",
                "delete from audit where number = (select max(number) from audit)");
        run(Exit.OK, "audit", "verify");
        assertThat(run(Exit.SICK, "audit", "verify", "--head", head))
                .contains("✗ the chain ends at record", head);
    }

    @Test
    void a_taken_name_and_a_missing_parent_can_be_resolved_by_options() throws Exception {
        imported();
        run(Exit.OK, "rm", "orphan", "--yes");
        var removal = newest();
        var file = temp.resolve("orphan.coppice").toString();
        run(Exit.OK, "backup", removal, "--to", file);
        client().post("/sessions", Json.read("{\"session_id\":\"x\",\"session_name\":\"orphan\"}"));
        assertThat(run(Exit.REFUSED, "undo", removal)).contains("orphan", "--rename");
        assertThat(run(Exit.OK, "undo", removal, "--rename"))
                .contains("restored orphan as orphan-2, with");
        assertThat(run(Exit.OK, "children", "root", "--count").strip()).isEqualTo("1");
        run(Exit.OK, "delete-all", "--yes", "--stop");
        for (var one : Json.read(run(Exit.OK, "removals", "--json")).get("removals")) {
            if (one.get("state").asString().equals("hidden")) {
                run(Exit.OK, "removals", one.get("removal_id").asString(), "purge");
            }
        }
        assertThat(run(Exit.REFUSED, "restore", file)).contains("--as-root", "--under");
        assertThat(run(Exit.OK, "restore", file, "--as-root")).contains("restored orphan");
        run(Exit.OK, "restore", file, "--under", "orphan", "--new-ids", "--rename");
        assertThat(run(Exit.OK, "children", "orphan", "--count").strip()).isEqualTo("1");
    }

    private RawClient client() throws IOException {
        var token = Files.readString(Path.of(data()).resolve("token")).strip();
        return new RawClient(URI.create(Objects.requireNonNull(coordinator).url()), token);
    }

    private String newest() {
        var all = Json.read(run(Exit.OK, "removals", "--json")).get("removals");
        return all.get(0).get("removal_id").asString();
    }

    /** The answer confirms the plans that were shown, however long it takes. */
    @Test
    void trees_that_change_before_the_answer_are_not_removed() throws Exception {
        imported();
        var client = client();
        var typed = new ByteArrayInputStream("3\n".getBytes(StandardCharsets.UTF_8));
        var answer =
                new FilterInputStream(typed) {
                    private boolean asked;

                    @Override
                    public int read() throws IOException {
                        if (!asked) meanwhile();
                        asked = true;
                        return super.read();
                    }

                    @Override
                    public int read(byte[] into, int at, int most) throws IOException {
                        if (!asked) meanwhile();
                        asked = true;
                        return super.read(into, at, most);
                    }

                    private void meanwhile() {
                        run(Exit.OK, "rm", "other", "--yes");
                        client.post(
                                "/sessions",
                                Json.read(
                                        """
                                        {"session_id": "x", "session_name": "late",
                                         "parent_session_id": "root"}\
                                        """));
                    }
                };
        var said = new ByteArrayOutputStream();
        var stream = new PrintStream(said, true, StandardCharsets.UTF_8);
        var environment = Map.of("COPPICE_DATA", data(), "NO_COLOR", "1");
        var console =
                new Console(
                        environment,
                        answer,
                        stream,
                        stream,
                        Console.Readers.PEOPLE,
                        new Terminal("012"),
                        temp);
        var exit = Main.run(List.of("delete-all"), console);
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("Type 3 to remove them all: ")
                .contains("  other: already removed\n")
                .contains("  root: refused: ", "has changed: ")
                .contains("removed 1 of 2 trees");
        assertThat(exit).isEqualTo(Exit.REFUSED);
        assertThat(run(Exit.OK, "list")).contains("root", "orphan", "late").doesNotContain("other");
    }

    @Test
    void removing_many_needs_an_operator_and_a_confirmation() throws Exception {
        imported();
        var viewer = run(Exit.OK, "token", "create", "--role", "viewer").strip();
        var looking =
                Map.of(
                        "COPPICE_URL",
                        Objects.requireNonNull(coordinator).url(),
                        "COPPICE_TOKEN",
                        viewer);
        assertThat(run(Exit.USAGE, "delete-all")).contains("cannot ask: not a terminal");
        assertThat(run(Exit.USAGE, "rm", "--match", "o")).contains("cannot ask: not a terminal");
        var plans = run(Exit.OK, "rm", "--match", "o", "--dry-run", "--json");
        assertThat(plans).contains("orphan", "other", "\"digest\"", "2 trees, 2 sessions");
        assertThat(run(Exit.USAGE, "rm")).contains("NAME is missing", "--match");
        assertThat(run(Exit.USAGE, "rm", "root", "--match", "o")).contains("cannot be combined");
        for (var alone : List.of("--discard", "--detach", "--only", "--confirm=0123456789abcdef")) {
            assertThat(run(Exit.USAGE, "rm", "--match", "o", alone)).contains("requires a NAME");
        }
        assertThat(run(Exit.USAGE, "rm", "--match", "", "--yes")).contains("--match is empty");
        assertThat(run(Exit.USAGE, "rm", "--older-than", "-7d", "--yes"))
                .contains("a time such as");
        // An invalid choice is an error, and not a reason to skip a tree.
        assertThat(run(Exit.USAGE, "rm", "--match", "o", "--ignored", "some", "--yes"))
                .contains("--ignored is 'some'");
        assertThat(run(looking, Exit.REFUSED, "delete-all", "--yes"))
                .contains("refused", "removed 0 of 2 trees");
        assertThat(run(Exit.OK, "list")).contains("root", "orphan", "other");
        assertThat(run(Exit.OK, "delete-all", "--yes")).contains("removed 2 of 2 trees");
        assertThat(run(Exit.OK, "list")).doesNotContain("root");
    }
}
