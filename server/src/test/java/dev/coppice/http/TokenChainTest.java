package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.client.RawClient;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.util.List;
import java.util.Map;

/** A token ends with the one with which it was made. */
class TokenChainTest {
    private final Caller server = new Caller();

    @AfterEach
    void close() {
        server.close();
    }

    private RawClient client(JsonNode made) {
        return new RawClient(
                URI.create(server.coordinator().url()), String.valueOf(text(made, "token")));
    }

    private static JsonNode made(RawClient maker, String role) {
        return maker.post("/tokens", Json.object().put("role", role)).body();
    }

    private static String id(JsonNode made) {
        return String.valueOf(text(made.get("view"), "token_id"));
    }

    private static String code(RawClient maker) {
        return String.valueOf(text(maker.post("/sign-in-links", Json.object()).body(), "code"));
    }

    private JsonNode signedIn(String code) {
        return server.send("POST", "/sign-ins", Json.write(Map.of("code", code)), Map.of()).json();
    }

    private static int status(RawClient client) {
        return client.get("/caller").status();
    }

    @Test
    void a_revoked_token_takes_along_all_that_was_made_with_it() {
        var first = made(server.client(), "operator");
        var second = made(client(first), "operator");
        var third = made(client(second), "viewer");
        var browser = signedIn(code(client(second)));
        var other = signedIn(code(client(browser)));
        var byOther = made(client(other), "viewer");
        var chain =
                List.of(
                        client(first),
                        client(second),
                        client(third),
                        client(browser),
                        client(other),
                        client(byOther));
        assertThat(chain).allMatch(one -> status(one) == 200);
        var beside = made(server.client(), "viewer");
        assertThat(server.client().delete("/tokens/" + id(first)).status()).isEqualTo(204);
        assertThat(chain).allMatch(one -> status(one) == 401);
        assertThat(status(client(beside))).isEqualTo(200);
        assertThat(server.get("/tokens").get("tokens").size()).isOne();
    }

    @Test
    void a_browser_that_signs_out_takes_along_what_it_has_made() {
        var browser = signedIn(code(server.client()));
        var made = made(client(browser), "operator");
        var other = signedIn(code(client(browser)));
        var unused = code(client(browser));
        assertThat(client(browser).delete("/sign-ins").status()).isEqualTo(204);
        assertThat(status(client(made))).isEqualTo(401);
        assertThat(status(client(other))).isEqualTo(401);
        var body = Json.write(Map.of("code", unused));
        assertThat(server.send("POST", "/sign-ins", body, Map.of()).status()).isEqualTo(404);
    }

    @Test
    void the_list_says_with_which_token_each_was_made() {
        var first = made(server.client(), "operator");
        made(client(first), "viewer");
        var listed = server.get("/tokens").get("tokens");
        assertThat(listed.valueStream().map(token -> String.valueOf(text(token, "made_by"))))
                .containsExactlyInAnyOrder("null", id(first));
    }

    @Test
    void a_new_browser_does_not_push_out_the_one_whose_link_it_has() {
        var viewer = client(made(server.client(), "viewer"));
        var first = client(signedIn(code(viewer)));
        for (int i = 0; i < 25; i++) {
            var next = client(signedIn(code(first)));
            assertThat(status(next)).isEqualTo(200);
        }
        assertThat(status(first)).isEqualTo(200);
        // As many as a token may have, and the token itself.
        assertThat(server.get("/tokens").get("tokens").size()).isEqualTo(21);
    }
}
