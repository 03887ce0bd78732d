package dev.coppice.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The sources of the address and the token of the coordinator. */
class ConnectionTest {
    private static final Usage USAGE = Usage.of("Try", List.of(), List.of(), "");

    @TempDir Path data;

    private static Args args(String... line) {
        return Args.read(USAGE, List.of(line));
    }

    private static String base(Args args, Map<String, String> environment) {
        return Connection.open(args, TableTest.console(environment)).client().base().toString();
    }

    @Test
    void the_data_directory_is_the_option_then_the_variable_then_one_in_the_home() {
        var both = TableTest.console(Map.of("COPPICE_DATA", "/var/a", "HOME", "/home/me"));
        assertThat(CoordinatorPlace.data(args("--data", "/b"), both)).isEqualTo(Path.of("/b"));
        assertThat(CoordinatorPlace.data(args(), both)).isEqualTo(Path.of("/var/a"));
        var home = TableTest.console(Map.of("COPPICE_DATA", "", "HOME", "/home/me"));
        assertThat(CoordinatorPlace.data(args(), home)).isEqualTo(Path.of("/home/me/.coppice"));
    }

    @Test
    void the_address_is_the_variable_then_the_file_then_the_usual_one() throws IOException {
        var directory = Map.of("COPPICE_DATA", data.toString());
        assertThat(base(args(), directory)).isEqualTo("http://127.0.0.1:8765");
        Files.writeString(data.resolve("url"), "http://127.0.0.1:7000\n");
        assertThat(base(args(), directory)).isEqualTo("http://127.0.0.1:7000");
        var both = Map.of("COPPICE_DATA", data.toString(), "COPPICE_URL", "http://example.org");
        assertThat(base(args(), both)).isEqualTo("http://example.org");
    }

    /** Inside of an agent, the variables are set, and the directory of another one is meant. */
    @Test
    void the_option_for_the_directory_wins_over_the_variables() throws IOException {
        Files.writeString(data.resolve("url"), "http://127.0.0.1:7000");
        assertThat(
                        base(
                                args("--data", data.toString()),
                                Map.of("COPPICE_URL", "http://example.org")))
                .isEqualTo("http://127.0.0.1:7000");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:8765",
                "https://example.org",
                "http://[::1]:80",
                "http://localhost:65535"
            })
    void an_address_is_that_of_a_web_server(String address) {
        assertThat(Connection.address(address)).hasToString(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost:8765",
                "127.0.0.1",
                "ftp://example.org",
                "http://",
                "http:///x",
                "http://a b",
                "http://example.org:65536",
                "file:///etc/passwd",
                "\u0000"
            })
    void what_is_no_address_is_refused(String text) {
        assertThatThrownBy(() -> Connection.address(text))
                .isInstanceOf(Args.Invalid.class)
                .hasMessageStartingWith("COPPICE_URL is '" + text + "'; it must be an address");
    }

    /** A header cannot hold it, and the error about the header would print the token. */
    @ParameterizedTest
    @ValueSource(strings = {"secret\nX-Evil: 1", "sec ret\r\nx", "s\u0000", "geheim\u00fc\u8a08"})
    void a_token_that_no_header_can_hold_is_refused_and_not_printed(String token) {
        var environment = Map.of("COPPICE_URL", "http://127.0.0.1:9", "COPPICE_TOKEN", token);
        assertThatThrownBy(() -> Connection.open(args(), TableTest.console(environment)))
                .isInstanceOf(Args.Invalid.class)
                .hasMessage("COPPICE_TOKEN holds characters that no token has");
    }
}
