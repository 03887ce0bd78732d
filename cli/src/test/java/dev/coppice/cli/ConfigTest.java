package dev.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.cli.engine.Exit;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** A configuration file gives settings, each with its origin, and can be changed line by line. */
class ConfigTest {
    @TempDir private Path home;
    private Path file;

    @BeforeEach
    void place() {
        file = home.resolve(".coppice/config.toml");
    }

    private Typed run(Map<String, String> more, String... line) {
        var environment = new HashMap<String, String>(more);
        environment.put("HOME", home.toString());
        return Typed.in(environment, "", line);
    }

    private Typed run(String... line) {
        return run(Map.of(), line);
    }

    private void write(String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void the_environment_beats_the_file_and_the_file_beats_the_default() throws IOException {
        write("COPPICE_PORT = 9001\nCOPPICE_HOSTS = [\"a:1\", \"b:2\"]\nCOPPICE_DEBUG = true\n");
        assertThat(run("config", "get", "COPPICE_PORT").out()).isEqualTo("9001\n");
        assertThat(run("config", "get", "COPPICE_HOSTS").out()).isEqualTo("a:1,b:2\n");
        assertThat(run("config", "get", "COPPICE_LEASE").out()).isEqualTo("30s\n");
        var environment = Map.of("COPPICE_PORT", "9002");
        assertThat(run(environment, "config", "get", "COPPICE_PORT").out()).isEqualTo("9002\n");
        assertThat(run(environment, "config", "list").out())
                .containsPattern("COPPICE_PORT +9002 +environment")
                .containsPattern("COPPICE_DEBUG +true +" + file)
                .containsPattern("COPPICE_LEASE +30s +default");
        assertThat(run("config", "get", "COPPICE_AGENT").exit()).isEqualTo(Exit.NOT_FOUND);
    }

    @Test
    void a_command_takes_its_settings_from_the_file() throws IOException {
        write("COPPICE_URL = \"http://127.0.0.1:9\"\n");
        assertThat(run("list").err()).contains("http://127.0.0.1:9");
        var other = home.resolve("other.toml");
        Files.writeString(other, "COPPICE_URL = \"http://127.0.0.1:10\"\n");
        assertThat(run("list", "--config", other.toString()).err()).contains("127.0.0.1:10");
        assertThat(run(Map.of("COPPICE_CONFIG", other.toString()), "list").err())
                .contains("127.0.0.1:10");
        assertThat(run("list", "--config", "absent.toml").exit()).isEqualTo(Exit.NO_FILE);
        assertThat(run(Map.of("COPPICE_CONFIG", "/dev/null"), "list").err()).contains(":8765");
    }

    @Test
    void what_a_file_cannot_contain_is_refused_with_the_reason() throws IOException {
        assertRefused("COPPICE_PROT = 1", "no setting 'COPPICE_PROT'", "'COPPICE_PORT'");
        assertRefused("COPPICE_JAVA_OPTS = \"-Xmx1g\"", "the launcher reads it before");
        assertRefused("COPPICE_DATA = \"/x\"", "COPPICE_DATA cannot be set in the data directory");
        assertRefused("COPPICE_PORT = 1.5", "must be text, a whole number");
        assertRefused("[COPPICE_PORT]\nx = 1", "must be text, a whole number");
        assertRefused("COPPICE_HOSTS = [\"a,b\"]", "without commas");
        assertRefused("COPPICE_PORT = 1\nCOPPICE_PORT = 2", "line 2");
        assertRefused("COPPICE_PORT", "line 1");
        assertRefused("#" + "x".repeat(70_000), "65536 bytes");
    }

    @Test
    void every_setting_of_the_page_can_be_in_a_file_or_says_why_not() throws IOException {
        var page =
                Files.readString(
                        Path.of(System.getProperty("coppice.root", ".."), "docs/settings.md"));
        var rows = page.lines().filter(line -> line.startsWith("| `COPPICE_")).toList();
        assertThat(rows).hasSizeGreaterThan(40);
        for (var row : rows) {
            var names = Pattern.compile("COPPICE_\\w+").matcher(row.split("\\|", -1)[1]).results();
            names.forEach(name ->
                    assertThat(run("config", "get", name.group()).err())
                            .as(name.group())
                            .doesNotContain("there is no setting"));
        }
    }

    /** An agent's commands, and those that need no settings, work beside a broken file. */
    @Test
    void a_file_that_cannot_be_used_stops_only_those_who_need_it() throws IOException {
        write("COPPICE_PROT = 1");
        var agent = Map.of("COPPICE_URL", "http://127.0.0.1:9", "COPPICE_TOKEN", "x");
        assertThat(run(agent, "list").err()).contains("no coordinator answers");
        assertThat(run("down").out()).contains("no coordinator of this user runs");
        assertThat(run("version").exit()).isEqualTo(Exit.OK);
        assertThat(run("up", "--port", "0").err()).contains("no setting 'COPPICE_PROT'");
        write(
                "COPPICE_ALERT_SECRET = { file = \"/absent\" }\n"
                        + "COPPICE_URL = \"http://127.0.0.1:9\"");
        assertThat(run("list").err()).contains("127.0.0.1:9: ");
        assertThat(run("up", "--port", "0").err()).contains("/absent");
    }

    @Test
    void a_change_that_a_reader_would_refuse_is_not_made() throws IOException {
        var open = Files.writeString(home.resolve("open"), "sixteen-characters-and-more");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        var secret = run("config", "set", "COPPICE_ALERT_SECRET", "--from-file", open.toString());
        assertThat(secret.err()).contains("other users can read");
        assertThat(run("config", "set", "COPPICE_DATA", "/x").err())
                .contains("COPPICE_DATA cannot");
        assertThat(run("config", "unset", "COPPICE_PORT").err()).contains("is not set in");
        var none = Map.of("COPPICE_CONFIG", "/dev/null");
        assertThat(run(none, "config", "set", "COPPICE_PORT", "1").err()).contains("no file");
        assertThat(file).doesNotExist();
    }

    private void assertRefused(String text, String... reasons) throws IOException {
        write(text);
        var said = run("config", "list");
        assertThat(said.exit()).isEqualTo(Exit.USAGE);
        assertThat(said.err()).contains(file.toString()).contains(reasons);
    }

    @Test
    void a_secret_is_hidden_and_only_its_owner_may_read_its_file() throws IOException {
        var secret = home.resolve("secret");
        Files.writeString(secret, "sixteen-characters-and-more\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        run("config", "set", "COPPICE_ALERT_SECRET", "--from-file", secret.toString());
        assertThat(file).content().contains("{ file = \"" + secret + "\" }");
        assertThat(run("config", "list").out())
                .doesNotContain("sixteen")
                .containsPattern("COPPICE_ALERT_SECRET +\\(hidden\\)");
        assertThat(run("config", "get", "COPPICE_ALERT_SECRET").out()).startsWith("sixteen-");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(run("config", "list").err())
                .contains("other users can read " + secret, "chmod 600");
    }

    @Test
    void a_change_keeps_every_other_line() throws IOException {
        write("# ours\nCOPPICE_HOSTS = [\n  \"a:1\", # one\n]\n# end\nCOPPICE_PORT=1 # old\n");
        assertThat(run("config", "set", "COPPICE_PORT", "9001").exit()).isEqualTo(Exit.OK);
        assertThat(run("config", "set", "COPPICE_KEEP_EVENTS", "3\"0\n").err())
                .contains("COPPICE_KEEP_EVENTS");
        run("config", "set", "COPPICE_AGENT", "a \"b\" \\ \n ü");
        assertThat(run("config", "get", "COPPICE_AGENT").out()).isEqualTo("a \"b\" \\ \n ü\n");
        run("config", "unset", "COPPICE_AGENT");
        run("config", "unset", "COPPICE_HOSTS");
        assertThat(file).content().isEqualTo("# ours\n# end\nCOPPICE_PORT = 9001\n");
        assertThat(run("config", "set", "COPPICE_LEASE", "1s").err()).contains("5s or more");
        assertThat(run("config", "set", "COPPICE_PROT", "1").err()).contains("'COPPICE_PORT'");
        assertThat(file).content().doesNotContain("LEASE").doesNotContain("PROT");
    }
}
