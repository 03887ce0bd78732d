package dev.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.cli.engine.Exit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A context names a coordinator; commands call the one that is chosen. */
class ContextTest {
    @TempDir private Path home;

    private Typed run(Map<String, String> more, String in, String... line) {
        var environment = new HashMap<String, String>(more);
        environment.put("HOME", home.toString());
        return Typed.in(environment, in, line);
    }

    private Typed run(String... line) {
        return run(Map.of(), "", line);
    }

    /** The port of the address that a command called: nothing listens at these. */
    private String called(Map<String, String> environment, String... line) {
        return run(environment, "", line).err().lines().findFirst().orElseThrow();
    }

    private void add(String name, int port) {
        var url = "http://127.0.0.1:" + port;
        var added =
                run(
                        Map.of(),
                        "secret\n",
                        "context",
                        "add",
                        name,
                        "--url",
                        url,
                        "--token-file",
                        "-");
        assertThat(added.exit()).isEqualTo(Exit.OK);
    }

    @Test
    void the_nearer_word_decides_which_coordinator_is_called() throws IOException {
        assertThat(called(Map.of(), "list")).contains("127.0.0.1:8765");
        add("one", 1);
        add("two", 2);
        assertThat(called(Map.of(), "list")).as("none is used").contains("127.0.0.1:8765");
        run("context", "use", "one");
        assertThat(called(Map.of(), "list")).contains("127.0.0.1:1:");
        assertThat(called(Map.of("COPPICE_CONTEXT", "two"), "list")).contains("127.0.0.1:2:");
        var url = Map.of("COPPICE_URL", "http://127.0.0.1:3", "COPPICE_TOKEN", "x");
        assertThat(called(url, "list")).contains("127.0.0.1:3:");
        assertThat(called(url, "list", "--context", "two")).contains("127.0.0.1:2:");
        var data = Files.createDirectory(home.resolve("data"));
        Files.writeString(data.resolve("url"), "http://127.0.0.1:4");
        assertThat(called(Map.of(), "list", "--data", data.toString())).contains("127.0.0.1:4:");
        assertThat(called(Map.of("COPPICE_DATA", data.toString()), "list"))
                .contains("127.0.0.1:4:");
        var half = called(Map.of("COPPICE_CONTEXT", "two"), "list", "--data", data.toString());
        assertThat(half).contains("127.0.0.1:4:");
        assertThat(run("list", "--data", data.toString(), "--context", "two").err())
                .contains("exclude each other");
        assertThat(run("down", "--context", "two").err()).contains("takes no --context");
        Files.createDirectories(home.resolve(".coppice"));
        Files.writeString(
                home.resolve(".coppice/config.toml"), "COPPICE_URL = \"http://127.0.0.1:5\"");
        assertThat(called(Map.of(), "list")).as("the file's address").contains("127.0.0.1:1:");
        Files.delete(home.resolve(".coppice/config.toml"));
        run("context", "use", "--none");
        assertThat(called(Map.of(), "list")).contains("127.0.0.1:8765");
    }

    @Test
    void a_context_is_listed_and_removed_and_its_token_is_its_owners() throws IOException {
        add("work", 1);
        run("context", "use", "work");
        assertThat(run("context", "list").out()).containsPattern("\\* +work +http://127.0.0.1:1");
        var token = home.resolve(".config/coppice/contexts/work/token");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(token)))
                .isEqualTo("rw-------");
        assertThat(run("context", "remove", "work").exit()).isEqualTo(Exit.OK);
        assertThat(token.getParent()).doesNotExist();
        assertThat(home.resolve(".config/coppice/context")).doesNotExist();
        assertThat(run("list", "--context", "work").err()).contains("no context 'work'");
    }

    @Test
    void what_is_no_context_is_refused() {
        add("work", 1);
        assertThat(run("context", "use", "wrok").err()).contains("Did you mean 'work'?");
        for (var name : List.of("..", "a/b", "", ".x", "a b")) {
            assertThat(run("context", "remove", name).exit()).isEqualTo(Exit.USAGE);
        }
        var url = "http://127.0.0.1:1";
        assertThat(run("context", "add", "work", "--url", url, "--token-file", "-").err())
                .contains("there is a context 'work'");
        assertThat(run("context", "add", "x", "--url", "nowhere", "--token-file", "-").exit())
                .isEqualTo(Exit.USAGE);
        assertThat(run("context", "add", "x", "--url", url, "--token-file", "-").err())
                .contains("the token is empty");
        var ca = List.of("context", "add", "x", "--url", url, "--ca", "f", "--token-file", "-");
        assertThat(run(Map.of(), "t", ca.toArray(String[]::new)).err())
                .contains("for an https:// address");
    }
}
