package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.access.Role;
import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** What a caller that is confined to a tree follows, while sessions come and go there. */
@Timeout(120)
class SightTest {
    private static final String STREAM = "/stream";
    private static final String EVENTS = "/sse/sessions";
    private static final String ONE = "/sse/sessions?session_id=kid&include_init=false";
    private static final String CHANGES = "/sse/changes";

    private final Caller server = Product.caller();
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Thread> readers = new ArrayList<>();

    @AfterEach
    void close() {
        http.shutdownNow();
        server.close();
    }

    private String viewerOf(String session) {
        var made =
                server.post("/tokens", "{\"role\":\"viewer\",\"below\":\"%s\"}".formatted(session));
        return String.valueOf(Json.text(made, "token"));
    }

    /** The texts that a reader of a path has received. */
    private List<String> follow(String path, String token) {
        var received = new CopyOnWriteArrayList<String>();
        if (path.equals(STREAM)) {
            var _ = open(token, received).join();
            return received;
        }
        var request =
                HttpRequest.newBuilder(URI.create(server.coordinator().url() + path))
                        .header("Authorization", "Bearer " + token)
                        .build();
        readers.add(
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                http.send(request, HttpResponse.BodyHandlers.ofLines())
                                        .body()
                                        .forEach(received::add);
                            } catch (Exception e) {
                                received.add("broken off");
                            }
                        }));
        return received;
    }

    private CompletableFuture<WebSocket> open(String token, List<String> received) {
        return http.newWebSocketBuilder()
                .header("Authorization", "Bearer " + token)
                .buildAsync(
                        URI.create(server.coordinator().url().replace("http", "ws") + STREAM),
                        new Page(received));
    }

    private static final class Page implements WebSocket.Listener {
        private final List<String> received;
        private final StringBuilder text = new StringBuilder();

        Page(List<String> received) {
            this.received = received;
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                received.add(text.toString());
                text.setLength(0);
            }
            socket.request(1);
            return CompletableFuture.completedFuture(null);
        }
    }

    private void prompt(String session, String text) {
        server.post(
                "/events",
                """
                {"source_app":"app","session_id":"%s","hook_event_type":"UserPromptSubmit",
                 "payload":{"prompt":"%s"}}\
                """
                        .formatted(session, text));
    }

    private static void awaitIn(List<String> received, String text) {
        Eventually.await(
                () -> received.stream().anyMatch(r -> r.contains(text)),
                () -> "no %s in %s".formatted(text, received));
    }

    @Test
    void nobody_follows_a_session_that_has_left_the_tree() {
        for (var id : List.of("top", "mid", "kid")) {
            var above = id.equals("top") ? "" : id.equals("mid") ? "top" : "mid";
            var parent = above.isEmpty() ? "" : ",\"parent_session_id\":\"" + above + "\"";
            server.post(
                    "/sessions",
                    "{\"session_id\":\"%s\",\"session_name\":\"%1$s\"%s}".formatted(id, parent));
        }
        var viewer = viewerOf("top");
        var faces = Stream.of(STREAM, EVENTS, ONE, CHANGES).map(p -> follow(p, viewer)).toList();
        var resource = follow("/sse/sessions?subtree=mid&include_init=false", viewer);
        awaitIn(faces.get(0), "initial");
        awaitIn(faces.get(1), "init");
        awaitIn(faces.get(3), "changed");
        var all = new ArrayList<>(faces);
        all.add(resource);
        // A stream without a beginning tells nothing until it follows.
        for (int i = 0; all.stream().anyMatch(f -> !knowsKid(f)); i++) {
            prompt("kid", "seen-" + i);
            assertThat(i).isLessThan(2_000);
        }
        var token = server.token();
        var peer = McpPeer.withSession(server, viewer, "{}");
        var params = Json.object().put("uri", "coppice://sessions/kid/events");
        assertThat(peer.post("resources/subscribe", params).status()).isEqualTo(200);
        var told = new CopyOnWriteArrayList<String>();
        readers.add(Thread.ofVirtual().start(() -> updates(peer, viewer, told)));
        for (int i = 0; told.stream().noneMatch(t -> t.contains("updated")); i++) {
            prompt("kid", "told-" + i);
            assertThat(i).isLessThan(2_000);
        }
        var removed =
                server.client().delete("/sessions/mid?cleanup_agents=false&force=true&reason=test");
        assertThat(removed.status()).as(removed.toString()).isLessThan(300);
        assertThat(Json.text(server.get("/sessions/kid").get("session"), "detached_from"))
                .isNotNull();
        var admin = follow(STREAM, token);
        awaitIn(admin, "initial");
        told.clear();
        prompt("kid", "secret");
        awaitIn(admin, "secret");
        server.post(
                "/sessions",
                "{\"session_id\":\"late\",\"session_name\":\"late\","
                        + "\"parent_session_id\":\"top\"}");
        prompt("late", "after-it");
        awaitIn(faces.get(0), "after-it");
        awaitIn(faces.get(1), "after-it");
        // The removal makes a reader of changes read everything again, without names.
        for (int i = 0; !faces.get(3).toString().contains("late"); i++) {
            prompt("late", "again-" + i);
            assertThat(i).isLessThan(2_000);
        }
        for (var face : all) assertThat(face.toString()).doesNotContain("secret");
        var changed = faces.get(3).stream().filter(t -> t.contains("\"number\"")).toList();
        assertThat(changed.getLast()).doesNotContain("kid");
        assertThat(told.toString()).doesNotContain("updated");
    }

    private static boolean knowsKid(List<String> face) {
        // A stream of changes tells of sessions, and the others of what was said.
        var told = face.toString();
        return told.contains("seen-") || (told.contains("changed") && told.contains("kid"));
    }

    private void updates(McpPeer peer, String viewer, List<String> told) {
        var request =
                HttpRequest.newBuilder(URI.create(server.coordinator().url() + "/mcp"))
                        .header("Authorization", "Bearer " + viewer)
                        .header("Accept", "text/event-stream")
                        .header("Mcp-Session-Id", peer.session())
                        .build();
        try {
            http.send(request, HttpResponse.BodyHandlers.ofLines()).body().forEach(told::add);
        } catch (Exception e) {
            told.add("broken off");
        }
    }

    @Test
    void a_wait_for_a_session_that_leaves_the_tree_ends_and_tells_nothing_of_it() throws Exception {
        server.post("/sessions", "{\"session_id\":\"top\",\"session_name\":\"top\"}");
        for (var id : List.of("mid", "kid")) {
            var parent = id.equals("mid") ? "top" : "mid";
            server.post(
                    "/sessions",
                    "{\"session_id\":\"%s\",\"session_name\":\"secret-%1$s\",\"parent_session_id\":\"%s\"}"
                            .formatted(id, parent));
        }
        var viewer = viewerOf("top");
        var waited =
                http.sendAsync(
                        HttpRequest.newBuilder(
                                        URI.create(
                                                server.coordinator().url()
                                                        + "/awaited-sessions?session_ids=kid&wait=100s"))
                                .header("Authorization", "Bearer " + viewer)
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        var removed =
                server.client().delete("/sessions/mid?cleanup_agents=false&force=true&reason=test");
        assertThat(removed.status()).as(removed.toString()).isLessThan(300);
        assertThat(waited.get().statusCode()).isIn(200, 404);
        assertThat(waited.get().body()).contains("kid").doesNotContain("secret-kid");
    }

    @Test
    void a_session_whose_parent_is_declared_late_is_followed() {
        server.post("/sessions", "{\"session_id\":\"top\",\"session_name\":\"top\"}");
        var viewer = viewerOf("top");
        var page = follow(STREAM, viewer);
        awaitIn(page, "initial");
        var frames = follow(EVENTS, viewer);
        awaitIn(frames, "init");
        prompt("own", "before");
        server.post(
                "/events",
                """
                {"source_app":"app","session_id":"own","hook_event_type":"SessionStart",
                 "parent_session_id":"top","payload":{}}\
                """);
        prompt("own", "declared");
        awaitIn(page, "declared");
        awaitIn(frames, "declared");
        assertThat(page.toString()).doesNotContain("before");
    }

    @Test
    void the_socket_of_a_revoked_token_ends() {
        var made = server.post("/tokens", "{\"role\":\"viewer\"}");
        var received = new CopyOnWriteArrayList<String>();
        var socket = open(String.valueOf(Json.text(made, "token")), received).join();
        awaitIn(received, "initial");
        var id = Json.text(made.get("view"), "token_id");
        assertThat(server.client().delete("/tokens/" + id).status()).isEqualTo(204);
        Eventually.await(socket::isInputClosed, () -> "the socket is still open");
    }

    @Test
    void an_agent_has_one_number_of_streams_for_all_faces() {
        server.post("/sessions", "{\"session_id\":\"a\",\"session_name\":\"a\"}");
        var agent = dev.coppice.access.Caller.agent(new SessionId("a"));
        var token = server.coordinator().token(agent);
        for (int i = 0; i < 8; i++) {
            awaitIn(follow(STREAM, token), "initial");
            awaitIn(follow(EVENTS, token), "init");
        }
        for (var path : List.of(EVENTS, CHANGES)) {
            var refused = server.as(agent).get(path);
            assertThat(refused.status()).as(path).isEqualTo(429);
            assertThat(refused.body().toString()).contains("16");
        }
        assertThat(status(token)).isEqualTo(429);
        var other = server.coordinator().tokens();
        var viewer = other.issue(dev.coppice.access.Caller.as(Role.VIEWER));
        awaitIn(follow(STREAM, viewer), "initial");
    }

    private int status(String token) {
        try {
            open(token, new ArrayList<>()).join();
            return 101;
        } catch (CompletionException e) {
            return e.getCause() instanceof WebSocketHandshakeException refused
                    ? refused.getResponse().statusCode()
                    : -1;
        }
    }
}
