package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Requests and their exact answers, one file per resource. A line that begins with {@code >} is
 * sent; the answer follows. {@code $field} stands for the last value of that field in an answer.
 * Values that differ between runs (generated ids, times, hashes, sizes) are replaced by their kind.
 */
class TranscriptTest {
    private static final Set<String> LENGTHS =
            Set.of("duration_ms", "seconds_since_heartbeat", "size", "event_bytes", "wall_millis");
    private static final Pattern VARIABLE = Pattern.compile("\\$([a-z_]+)");
    private static final Path TRANSCRIPTS =
            Path.of(System.getProperty("coppice.root", ".."))
                    .resolve("originals/src/test/resources/transcripts");

    static List<String> resources() throws IOException {
        try (var files = Files.list(TRANSCRIPTS)) {
            return files.map(f -> f.getFileName().toString().replace(".txt", "")).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("resources")
    void every_answer_matches_the_transcript(String resource) throws IOException {
        var file = TRANSCRIPTS.resolve(resource + ".txt");
        var sent = Files.readAllLines(file).stream().filter(l -> l.startsWith("> ")).toList();
        assertThat(sent).isNotEmpty();
        var played = played(sent);
        if (Boolean.getBoolean("coppice.rewrite")) Files.writeString(file, played);
        assertThat(file)
                .as("rewrite it with: mvn -pl originals -am test -Dcoppice.rewrite=true")
                .content()
                .isEqualToNormalizingNewlines(played);
    }

    private static String played(List<String> sent) {
        var text = new StringBuilder();
        var seen = new HashMap<String, String>();
        try (var server = Product.caller()) {
            for (var line : sent) {
                var filled =
                        VARIABLE.matcher(line).replaceAll(m -> seen.getOrDefault(m.group(1), "$0"));
                var words = filled.substring(2).split(" ", 3);
                var answer = send(server, words[0], words[1], words.length > 2 ? words[2] : "");
                remember(answer.json(), seen);
                text.append(line).append('\n').append(answer.status()).append(' ');
                text.append(steady(answer.json()).toPrettyString()).append("\n\n");
            }
        }
        return text.toString();
    }

    private static Caller.Sent send(Caller server, String method, String path, String body) {
        return server.send(method, path, body, Map.of("Authorization", "Bearer " + server.token()));
    }

    private static void remember(JsonNode node, Map<String, String> seen) {
        for (var field : node.properties()) {
            if (field.getValue().isString()) seen.put(field.getKey(), field.getValue().asString());
        }
        node.forEach(inner -> remember(inner, seen));
    }

    private static JsonNode steady(JsonNode node) {
        switch (node) {
            case ObjectNode object -> {
                for (var field : List.copyOf(object.properties())) {
                    boolean takesTime = LENGTHS.contains(field.getKey());
                    boolean shown = takesTime && field.getValue().isNumber();
                    var preserved = shown ? Json.tree("LENGTH") : steady(field.getValue());
                    object.set(field.getKey(), preserved);
                }
            }
            case ArrayNode list -> {
                for (int i = 0; i < list.size(); i++) list.set(i, steady(list.get(i)));
            }
            default -> {
                return node.isString() ? Json.tree(steady(node.asString())) : node;
            }
        }
        return node;
    }

    private static String steady(String text) {
        return text.replaceAll("\\b(?=[0-9]*[a-f])([0-9a-f]{64}|[0-9a-f]{16})\\b", "HASH")
                .replaceAll("\\b([a-z]{2,4})_[0-9a-f]{12}(-[0-9a-f]{8})?", "$1_MADE")
                .replaceAll("(scripted|session)-[0-9a-f]{8}", "$1-MADE")
                .replaceAll("\\btop-[0-9a-f]{6}", "top-MADE")
                .replaceAll("\"(size|event_bytes)\":\\d+", "\"$1\":LENGTH")
                .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME");
    }
}
