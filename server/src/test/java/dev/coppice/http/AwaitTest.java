package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.SessionId;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Waiting for several sessions. */
class AwaitTest {
    private final Caller server = new Caller();

    @BeforeEach
    void grow() {
        session("top", null);
        session("one", "top");
        session("two", "top");
        session("other", null);
    }

    private void session(String id, @org.jspecify.annotations.Nullable String parent) {
        var body = Json.object().put("session_id", id).put("session_name", id);
        if (parent != null) body.put("parent_session_id", parent);
        server.post("/sessions", body.toString());
        server.post("/sessions/" + id + "/bind", "{}");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void it_ends_when_enough_of_them_are_over() {
        var path = "/awaited-sessions?session_ids=one,two";
        assertThat(server.get(path).get("is_met").asBoolean()).isFalse();
        var any = CompletableFuture.supplyAsync(() -> server.get(path + "&count=1&wait=60s"));
        var all = CompletableFuture.supplyAsync(() -> server.get(path + "&wait=60s"));
        server.post("/sessions/two/stop", "{}");
        var first = any.join();
        assertThat(first.get("is_met").asBoolean()).isTrue();
        assertThat(first.get("sessions").valueStream().map(s -> text(s, "status")))
                .containsExactly("running", "stopped");
        assertThat(all.isDone()).isFalse();
        server.post("/sessions/one/removal?wait=20s", "{\"running\":\"stop\"}");
        assertThat(all.join().get("is_met").asBoolean()).isTrue();
        assertThat(server.get(path.replace("one", "top") + "&wait=1ms").get("is_met").asBoolean())
                .isFalse();
    }

    @Test
    void what_cannot_be_awaited_is_refused() {
        var agent = server.as(dev.coppice.access.Caller.agent(new SessionId("top")));
        assertThat(agent.get("/awaited-sessions?session_ids=one").status()).isEqualTo(200);
        assertThat(agent.get("/awaited-sessions?session_ids=one,other").status()).isEqualTo(404);
        var many = String.join(",", java.util.Collections.nCopies(101, "one"));
        for (var query : List.of("", "session_ids=one&count=2", "session_ids=" + many)) {
            assertThat(agent.get("/awaited-sessions?" + query).status()).as(query).isEqualTo(400);
        }
    }
}
