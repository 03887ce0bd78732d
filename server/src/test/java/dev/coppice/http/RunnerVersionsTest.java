package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.client.Answer;
import dev.coppice.wire.Json;
import dev.coppice.wire.Release;
import dev.coppice.wire.fleet.RegisterRequest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

/** A runner may be one step of the protocol older or newer than the coordinator. */
class RunnerVersionsTest {
    private final Caller server = new Caller();

    @AfterEach
    void close() {
        server.close();
    }

    private Answer<JsonNode> register(String version, int step) {
        var body = Json.object().put("hostname", "b").put("project_dir", "/" + step);
        body.put("executor_profile", "local").put("protocol", "coppice/" + step);
        var executor = body.putObject("executor").put("type", "autonomous");
        executor.put("command", "coppice").put("version", version);
        return server.client().post("/runner/register", body);
    }

    @Test
    void versions_further_apart_are_refused_with_both() {
        int ours = RegisterRequest.STEP;
        for (int step = ours - 1; step <= ours + 1; step++) {
            var registered = register("9.8.7", step);
            assertThat(registered.status()).isEqualTo(200);
            assertThat(registered.body().get("lease_seconds").asInt())
                    .as("as a runner of Coppice")
                    .isPositive();
        }
        var refused = register("9.8.7", ours + 2);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(text(refused.body(), "code")).isEqualTo("versions_too_far_apart");
        assertThat(refused.body().toString())
                .contains("9.8.7 (protocol %d)".formatted(ours + 2))
                .contains("%s (protocol %d)".formatted(Release.ours().version(), ours));
        assertThat(server.client().get("/runners").body().toString())
                .contains("9.8.7")
                .doesNotContain("\"/" + (ours + 2) + "\"");
    }
}
