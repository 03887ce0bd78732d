package dev.coppice.mcp.tool;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.coppice.access.Caller;
import dev.coppice.access.Need;
import dev.coppice.access.Role;
import dev.coppice.mcp.call.Abilities;
import dev.coppice.mcp.call.Call;
import dev.coppice.mcp.call.Channel;
import dev.coppice.mcp.call.Client;
import dev.coppice.mcp.call.Era;
import dev.coppice.mcp.call.Outbox;
import dev.coppice.mcp.call.Tasks;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.Wait;
import dev.coppice.request.Wording;
import dev.coppice.session.ParentReference;
import dev.coppice.wire.Json;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.wire.removal.RemoveByFlags;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;

/** The progress that the caller of a deletion receives for the states that are observed. */
class ProgressTest {
    private static final String DONE =
            """
            {"removal_id":"rem_1","session_id":"s","state":"hidden",
            "choices":{"work":"preserve"},"not_preserved":[],"preserved":[],
            "outcomes":[{"session_name":"s"},{"session_name":"kid"},{"session_name":"leaf"}]}
            """;

    private static final Operation<RemoveByFlags, Deletion> NO_OPERATION =
            Operation.of(
                    Deletion.CALL,
                    Need.ACT,
                    (_, _) -> {
                        throw new IllegalStateException("not called");
                    });

    /** The state at each look, and finally the answer. */
    private record Looks(Queue<String> seen) implements Wait {
        @Override
        public @Nullable Object within(Duration time) {
            return seen.size() == 1 ? deletion(seen.remove()) : null;
        }

        @Override
        public Object soFar() {
            return Json.as(seen.remove(), RemovalView.class);
        }
    }

    private static Deletion deletion(String json) {
        return new Deletion.Begun(Json.as(json, RemovalView.Whole.class));
    }

    private static String telling(int percent, int told, String next) {
        return telling(percent, told, 3, next);
    }

    private static String telling(int percent, int told, int all, String next) {
        return "{\"percent\":%d,\"telling\":{\"told\":%d,\"all\":%d,\"next\":\"%s\"}}"
                .formatted(percent, told, all, next);
    }

    private static List<String> progress(String... seen) throws IOException, InterruptedException {
        var looks = new ArrayDeque<>(List.of(seen));
        looks.add(DONE);
        var result = new Deleting();
        var tool = new Tool<>(DeletionTools.DELETION, NO_OPERATION, result);
        var params = Json.read("{\"_meta\":{\"progressToken\":\"p\"}}");
        var client = new Client(Era.SESSIONS, "", Abilities.NONE, null, Caller.as(Role.OPERATOR));
        var call = new Call(Json.tree(1), "tools/call", params, client, null);
        var out = new Outbox();
        var channel =
                new Channel(
                        call, out, _ -> Map.of(), new Tasks(InstantSource.system()), all -> all);
        var context = new Context(client.caller(), ParentReference.NONE, Wording.MCP);
        var begun = deletion(DONE);
        channel.run(way ->
                new Progress<>(tool, result.steps(_ -> null), context, way)
                        .until(new Looks(looks), begun));
        var read = new ByteArrayOutputStream();
        out.into(read, 0, () -> true);
        var progress = new ArrayList<String>();
        for (var line : read.toString(UTF_8).lines().toList()) {
            if (!line.startsWith("data:")) continue;
            var told = Json.read(line.substring(5)).path("params");
            if (told.has("progress"))
                progress.add(told.get("progress").asInt() + " " + Json.text(told, "message"));
        }
        return progress;
    }

    @Test
    void a_fast_deletion_reports_each_agent_by_name() throws IOException, InterruptedException {
        assertThat(progress())
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
    void a_slow_deletion_reports_the_current_agent() throws IOException, InterruptedException {
        assertThat(progress(telling(50, 0, "leaf"), telling(60, 1, "kid"), telling(70, 2, "s")))
                .containsSubsequence(
                        "50 Deleting session agents",
                        "60 Deleting agent kid (2/2)",
                        "70 Deleting session agents",
                        "80 Deleting agent kid (2/2)");
    }

    @Test
    void progress_neither_repeats_nor_decreases() throws IOException, InterruptedException {
        var late = telling(70, 200, 300, "kid");
        var progress = progress(late, telling(60, 1, 300, "leaf"), "{\"percent\":35}", "{}");
        assertThat(progress).doesNotHaveDuplicates().contains("70 Deleting agent kid (201/299)");
        assertThat(progress).noneMatch(h -> Objects.toString(h).startsWith("60"));
    }

    @Test
    void missed_agents_of_a_small_tree_are_reported_by_name_at_the_end()
            throws IOException, InterruptedException {
        assertThat(progress(telling(70, 2, "s"), "{\"percent\":85}"))
                .contains("65 Deleting agent leaf (1/2)", "80 Deleting agent kid (2/2)");
    }
}
