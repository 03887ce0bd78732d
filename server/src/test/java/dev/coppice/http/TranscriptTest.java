package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Json;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What each resource is asked and what it answers, word for word, kept as files. A line that begins
 * with {@code >} is sent, what follows is the answer. What differs from run to run (ids that were
 * made up, times, durations) is shown by its kind.
 */
class TranscriptTest {
    private static final Set<String> LENGTHS = Set.of("duration_ms", "seconds_since_heartbeat");
    private static final Path TRANSCRIPTS =
            Path.of(System.getProperty("coppice.root", ".."))
                    .resolve("server/src/test/resources/transcripts");

    @ParameterizedTest
    @ValueSource(strings = {"sessions", "trees", "runs", "agents", "runners", "refusals"})
    void every_answer_is_as_it_was(String resource) throws IOException {
        var file = TRANSCRIPTS.resolve(resource + ".txt");
        var sent = Files.readAllLines(file).stream().filter(l -> l.startsWith("> ")).toList();
        assertThat(sent).isNotEmpty();
        var played = played(sent);
        if (Boolean.getBoolean("coppice.rewrite")) Files.writeString(file, played);
        assertThat(file)
                .as("rewrite it with: mvn -pl server -am test -Dcoppice.rewrite=true")
                .content()
                .isEqualToNormalizingNewlines(played);
    }

    private static String played(List<String> sent) {
        var text = new StringBuilder();
        try (var server = new Caller()) {
            for (var line : sent) {
                var words = line.substring(2).split(" ", 3);
                var body = words.length > 2 ? Json.read(words[2]) : null;
                var answer = server.client().call(words[0], words[1], body, Map.of());
                text.append(line).append('\n').append(answer.status()).append(' ');
                text.append(steady(answer.body()).toPrettyString()).append("\n\n");
            }
        }
        return text.toString();
    }

    private static JsonNode steady(JsonNode node) {
        switch (node) {
            case ObjectNode object -> {
                for (var field : List.copyOf(object.properties())) {
                    boolean takesTime = LENGTHS.contains(field.getKey());
                    boolean shown = takesTime && field.getValue().isNumber();
                    var kept = shown ? Json.tree("LENGTH") : steady(field.getValue());
                    object.set(field.getKey(), kept);
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
        return text.replaceAll("run_[0-9a-f]{12}", "run_MADE")
                .replaceAll("ses_[0-9a-f]{12}", "ses_MADE")
                .replaceAll("(scripted|session)-[0-9a-f]{8}", "$1-MADE")
                .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME");
    }
}
