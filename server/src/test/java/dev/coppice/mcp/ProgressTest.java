package dev.coppice.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.coppice.web.Reply;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;

/** What someone hears who waits for a deletion, whatever there is to be seen on the way. */
class ProgressTest {
    private static final String DONE =
            """
            {"removal_id":"rem_1","session_id":"s","state":"hidden","ok":true,
            "removed_session_names":["s","kid","leaf"]}
            """;

    /** What is seen at each look, and at last the answer. */
    private record Looks(Queue<String> seen) implements Reply.Wait {
        @Override
        public @Nullable Object within(Duration time) {
            return seen.size() == 1 ? Json.read(seen.remove()) : null;
        }

        @Override
        public Object soFar() {
            return Json.read(seen.remove());
        }
    }

    private static String telling(int percent, int told, String next) {
        return "{\"percent\":%d,\"telling\":{\"told\":%d,\"all\":3,\"next\":\"%s\"}}"
                .formatted(percent, told, next);
    }

    private static List<String> heard(String... seen) throws IOException {
        var looks = new ArrayDeque<>(List.of(seen));
        looks.add(DONE);
        var tool = Deletion.DELETE;
        var arguments = Arguments.read(tool.takes(), Json.read("{\"session_name\":\"s\"}"));
        var out = new ByteArrayOutputStream();
        new Progress(Json.read("\"p\""), tool.steps(arguments), out)
                .all(
                        () -> new Reply.Patient(200, new Looks(looks)),
                        new Result(tool, r -> r),
                        why -> {
                            throw new AssertionError(why);
                        });
        var heard = new ArrayList<String>();
        for (var line : out.toString(UTF_8).lines().toList()) {
            if (!line.startsWith("data:")) continue;
            var told = Json.read(line.substring(5)).path("params");
            if (told.isMissingNode()) continue;
            heard.add(told.get("progress").asInt() + " " + Json.text(told, "message"));
        }
        return heard;
    }

    @Test
    void whoever_is_quick_is_told_each_agent_by_its_name() throws IOException {
        assertThat(heard())
                .startsWith(
                        "15 Analyzing session contents",
                        "25 Preserving uncommitted work",
                        "35 Creating session backup",
                        "50 Deleting session agents",
                        "65 Deleting agent leaf (1/2)",
                        "80 Deleting agent kid (2/2)",
                        "85 Cleaning up session resources")
                .last()
                .asString()
                .startsWith("100 ");
    }

    @Test
    void whoever_is_slow_is_told_whose_turn_it_is() throws IOException {
        assertThat(heard(telling(50, 0, "leaf"), telling(60, 1, "kid"), telling(70, 2, "s")))
                .containsSubsequence(
                        "50 Deleting session agents",
                        "60 Deleting agent kid (2/2)",
                        "70 Deleting session agents",
                        "80 Deleting agent kid (2/2)");
    }

    @Test
    void nobody_hears_a_number_twice_or_a_lower_one() throws IOException {
        var heard = heard(telling(70, 2, "s"), telling(60, 1, "kid"), "{\"percent\":35}", "{}");
        assertThat(heard).doesNotHaveDuplicates().contains("70 Deleting session agents");
        assertThat(heard).noneMatch(h -> Objects.toString(h).startsWith("60"));
    }
}
