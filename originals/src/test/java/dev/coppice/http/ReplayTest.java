package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.access.Role;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Exchanges of the originals' own clients, replayed. A line that begins with {@code >} is sent,
 * with the headers on lines before it that begin with a colon, and with the token of the role after
 * {@code @}. The line that begins with {@code <} has the status and what the client reads of the
 * answer: other fields may be there, {@code "*"} is any value, {@code "*text"} any text, {@code
 * null} may be absent, and {@code $field} is the last value of that field in an answer.
 */
class ReplayTest {
    private static final Pattern VARIABLE = Pattern.compile("\\$([a-z_]+)");
    private static final Path EXCHANGES =
            Path.of(System.getProperty("coppice.root", ".."))
                    .resolve("originals/src/test/resources/originals");

    static List<String> clients() throws IOException {
        try (var files = Files.list(EXCHANGES)) {
            return files.map(f -> f.getFileName().toString().replace(".txt", "")).sorted().toList();
        }
    }

    /** The text of the exchanges of a client. */
    static String exchanges(String client) throws IOException {
        return Files.readString(EXCHANGES.resolve(client + ".txt"));
    }

    @ParameterizedTest
    @MethodSource("clients")
    void every_recorded_call_is_answered_as_the_client_expects(String client) throws IOException {
        try (var server = Product.caller()) {
            var seen = new HashMap<String, String>();
            var headers = new LinkedHashMap<String, String>();
            var token = server.token();
            Caller.@Nullable Sent answer = null;
            for (var line : exchanges(client).lines().toList()) {
                var rest =
                        line.length() < 2
                                ? ""
                                : filled(line.substring(line.indexOf(' ') + 1), seen);
                if (line.startsWith("@")) {
                    var role = Role.valueOf(line.substring(1).toUpperCase(Locale.ROOT));
                    token = server.coordinator().tokens().issue(dev.coppice.access.Caller.as(role));
                } else if (line.startsWith(": ")) {
                    var parts = rest.split(": ", 2);
                    headers.put(parts[0], parts[1]);
                } else if (line.startsWith("> ")) {
                    headers.put("Authorization", "Bearer " + token);
                    answer = sent(server, rest, headers);
                    headers.clear();
                    remember(answer.json(), seen);
                } else if (line.startsWith("< ")) {
                    expect(line, filled(line.substring(2), seen), answer);
                }
            }
        }
    }

    private static String filled(String text, Map<String, String> seen) {
        return VARIABLE.matcher(text)
                .replaceAll(m -> seen.getOrDefault(m.group(1), "\\" + m.group()));
    }

    private static Caller.Sent sent(Caller server, String line, Map<String, String> headers) {
        var words = line.split(" ", 3);
        return server.send(words[0], words[1], words.length > 2 ? words[2] : "", headers);
    }

    private static void remember(@Nullable JsonNode body, Map<String, String> seen) {
        if (body == null) return;
        for (var node : body) if (node.isContainer()) remember(node, seen);
        if (!body.isObject()) return;
        body.properties()
                .forEach(field -> {
                    if (field.getValue().isString()) {
                        seen.put(field.getKey(), field.getValue().asString());
                    }
                });
    }

    private static void expect(String line, String expected, Caller.@Nullable Sent answer) {
        if (answer == null) throw new AssertionError("nothing was sent before " + line);
        var words = expected.split(" ", 2);
        assertThat(answer.status())
                .as("%s: %s", line, answer.body())
                .isEqualTo(Integer.parseInt(words[0]));
        if (words.length < 2) return;
        assertThat(fits(Json.read(words[1]), answer.json()))
                .as("%s, but was %s", line, answer.body())
                .isTrue();
    }

    private static boolean fits(JsonNode expected, @Nullable JsonNode is) {
        boolean isAbsent = is == null || is.isNull() || is.isMissingNode();
        if (expected.isNull()) return isAbsent;
        if (isAbsent) return false;
        if (expected.isString() && expected.asString().equals("*")) return true;
        if (expected.isString() && expected.asString().equals("*text")) return is.isString();
        if (expected.isObject()) {
            return expected.properties().stream()
                    .allMatch(field -> fits(field.getValue(), is.get(field.getKey())));
        }
        if (!expected.isArray()) return expected.equals(is);
        if (expected.size() != is.size()) return false;
        for (int i = 0; i < expected.size(); i++) {
            if (!fits(expected.get(i), is.get(i))) return false;
        }
        return true;
    }
}
