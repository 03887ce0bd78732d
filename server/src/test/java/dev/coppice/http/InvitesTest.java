package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.client.RawClient;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.util.Map;

/** An invitation lets one runner join, once; its token is valid for that runner alone. */
class InvitesTest {
    private final Caller server = new Caller();

    @AfterEach
    void close() {
        server.close();
    }

    private RawClient client(String token) {
        return new RawClient(URI.create(server.coordinator().url()), token);
    }

    private static String code(RawClient who) {
        var body = Json.object().put("expires", "2h");
        body.putArray("tags").add("far");
        return String.valueOf(text(who.post("/runner-invites", body).body(), "code"));
    }

    private JsonNode join(String code) {
        var body = Json.write(Map.of("code", code, "hostname", "b"));
        return server.send("POST", "/runner-joins", body, Map.of()).json();
    }

    private static JsonNode registration(String directory) {
        var body = Json.object().put("hostname", "b").put("project_dir", directory);
        body.put("executor_profile", "local").put("protocol", "coppice/1");
        body.putObject("executor").put("type", "autonomous").put("command", "coppice");
        return body;
    }

    @Test
    void a_code_is_good_once_and_only_for_an_invitation() {
        var code = code(server.client());
        var joined = join(code);
        assertThat(joined.get("tags").toString()).isEqualTo("[\"far\"]");
        assertThat(text(join(code), "code")).isEqualTo("invite_unknown");
        var signIn = text(server.client().post("/sign-in-links", Json.object()).body(), "code");
        assertThat(text(join(String.valueOf(signIn)), "code")).isEqualTo("invite_unknown");
        var other = Json.write(Map.of("code", code(server.client())));
        assertThat(text(server.send("POST", "/sign-ins", other, Map.of()).json(), "code"))
                .isEqualTo("sign_in_unknown");
    }

    @Test
    void only_an_admin_invites_and_not_for_longer_than_a_week() {
        var made = server.client().post("/tokens", Json.object().put("role", "operator")).body();
        var operator = client(String.valueOf(text(made, "token")));
        assertThat(operator.post("/runner-invites", Json.object()).status()).isEqualTo(403);
        var tooLong = server.client().post("/runner-invites", Json.object().put("expires", "8d"));
        assertThat(tooLong.status()).isEqualTo(400);
    }

    @Test
    void a_runner_that_joined_acts_as_itself_only() {
        var mine = client(String.valueOf(text(join(code(server.client())), "token")));
        var foreign =
                text(
                        server.client().post("/runner/register", registration("/x")).body(),
                        "runner_id");
        assertThat(mine.get("/runner/runs?runner_id=" + foreign).status()).isEqualTo(403);
        assertThat(mine.post("/runner/register", registration("/x")).status())
                .as("a registered one")
                .isEqualTo(403);
        var registered = mine.post("/runner/register", registration("/a"));
        var id = text(registered.body(), "runner_id");
        assertThat(mine.post("/runner/register", registration("/a")).status()).isEqualTo(200);
        assertThat(mine.post("/runner/register", registration("/b")).status()).isEqualTo(403);
        assertThat(beat(mine, id)).isEqualTo(200);
        assertThat(beat(mine, foreign)).isEqualTo(403);
        assertThat(mine.post("/runner/heartbeat", Json.object()).status()).isEqualTo(403);
        assertThat(mine.delete("/runners/" + foreign + "?self=true").status()).isEqualTo(403);
        assertThat(mine.post("/runner-invites", Json.object()).status()).isEqualTo(403);
    }

    private static int beat(RawClient who, String runner) {
        var body = Json.object().put("runner_id", runner);
        body.putArray("runs");
        return who.post("/runner/heartbeat", body).status();
    }

    @Test
    void a_runner_and_its_token_end_together() {
        var first = join(code(server.client()));
        var mine = client(String.valueOf(text(first, "token")));
        var id = text(mine.post("/runner/register", registration("/a")).body(), "runner_id");
        server.client().delete("/tokens/" + text(first, "token_id"));
        assertThat(server.client().get("/runners").body().toString()).doesNotContain(id);
        assertThat(beat(mine, id)).isEqualTo(401);

        var second = join(code(server.client()));
        var again = client(String.valueOf(text(second, "token")));
        again.post("/runner/register", registration("/a"));
        assertThat(server.client().delete("/runners/" + id).status()).isEqualTo(200);
        assertThat(server.client().get("/tokens").body().toString())
                .doesNotContain(String.valueOf(text(second, "token_id")));
        assertThat(beat(again, id)).isEqualTo(401);
    }
}
