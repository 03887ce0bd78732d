package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.client.RawClient;
import dev.coppice.kernel.SessionId;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Map;

/** A freeze or a budget that a person has set is lifted by people alone. */
class PeopleOnlyTest {
    private final Caller server = new Caller();
    private final RawClient agent = agent();

    private RawClient agent() {
        session("a", "");
        session("b", ",\"parent_session_id\":\"a\"");
        session("c", ",\"parent_session_id\":\"b\"");
        return server.as(dev.coppice.access.Caller.agent(new SessionId("a")));
    }

    private void session(String id, String more) {
        server.post("/sessions", "{\"session_id\":\"%s\"%s}".formatted(id, more));
    }

    @AfterEach
    void close() {
        server.close();
    }

    private String asked(String method, String path, String body) {
        var answer = agent.call(method, path, Json.read(body), Map.of());
        return answer.isGood() ? "good" : String.valueOf(Json.text(answer.body(), "code"));
    }

    @Test
    void an_agent_thaws_nothing_that_a_person_froze() {
        server.post("/sessions/b/freeze", "{}");
        for (var around : new String[] {"b", "c"}) {
            assertThat(asked("POST", "/sessions/" + around + "/thaw", "{}"))
                    .isEqualTo("people_only");
        }
        server.post("/sessions/b/thaw", "{}");
        server.post("/sessions/c/freeze", "{}");
        assertThat(asked("POST", "/sessions/b/thaw", "{}")).as("above").isEqualTo("people_only");
        server.post("/sessions/a/thaw", "{}");
        assertThat(asked("POST", "/sessions/b/freeze", "{}")).isEqualTo("good");
        assertThat(asked("POST", "/sessions/b/thaw", "{}")).isEqualTo("good");
    }

    @Test
    void an_agent_thaws_nothing_that_the_spent_budget_of_a_person_froze() {
        var budget = "{\"tokens\":100,\"policy\":\"freeze\"}";
        server.client().call("PUT", "/sessions/b/budget", Json.read(budget), Map.of());
        assertThat(asked("POST", "/sessions/b/thaw", "{}")).isEqualTo("good");
        server.post("/sessions/b/usage", "{\"tokens\":100}");
        assertThat(asked("POST", "/sessions/b/thaw", "{}")).isEqualTo("people_only");
    }

    @Test
    void an_agent_changes_no_budget_that_a_person_set() {
        assertThat(asked("PUT", "/sessions/b/budget", "{\"runs\":5}")).isEqualTo("good");
        server.client().call("PATCH", "/sessions/b/budget", Json.read("{\"runs\":2}"), Map.of());
        assertThat(asked("PUT", "/sessions/b/budget", "{\"runs\":9}")).isEqualTo("people_only");
        assertThat(asked("PATCH", "/sessions/b/budget", "{\"runs\":9}")).isEqualTo("people_only");
        assertThat(asked("DELETE", "/sessions/b/budget", "{}")).isEqualTo("people_only");
        server.client().call("DELETE", "/sessions/b/budget", Json.object(), Map.of());
        assertThat(asked("PUT", "/sessions/b/budget", "{\"runs\":9}")).isEqualTo("good");
    }
}
