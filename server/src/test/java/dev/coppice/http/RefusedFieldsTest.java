package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** Line 3 of the command line's promise, over REST: a field without meaning is never taken. */
class RefusedFieldsTest {
    private final Caller server = new Caller();

    @AfterEach
    void close() {
        server.close();
    }

    private void refused(String method, String path, String body, String field, String near) {
        var answer =
                server.send(
                        method,
                        path,
                        body,
                        Map.of(
                                "Authorization",
                                "Bearer " + server.token(),
                                "Accept",
                                "application/problem+json"));
        assertThat(answer.status()).as(path + body).isEqualTo(400);
        assertThat(text(answer.json(), "code")).isEqualTo("field_unknown");
        assertThat(text(answer.json(), "error")).contains("Unknown field: " + field + ";", near);
    }

    @Test
    void line_3_limits_budgets_and_bodies_refuse_unknown_fields() {
        server.post("/sessions", "{\"session_id\":\"s\"}");
        refused("POST", "/sessions", "{\"limits\":{\"dept\":2}}", "limits.dept", "depth");
        refused("POST", "/runs", "{\"prompt\":\"x\",\"budgets\":{}}", "budgets", "budget");
        refused(
                "POST",
                "/runs",
                "{\"prompt\":\"x\",\"budget\":{\"token\":5}}",
                "budget.token",
                "tokens");
        refused(
                "POST",
                "/runs",
                "{\"prompt\":\"x\",\"additional_demands\":{\"tag\":[]}}",
                "additional_demands.tag",
                "tags");
        refused("PUT", "/sessions/s/budget", "{\"costs\":5}", "costs", "cost_usd");
        refused("PATCH", "/sessions/s/budget", "{\"costs\":5}", "costs", "cost_usd");
        refused("POST", "/sessions/s/usage", "{\"token\":5}", "token", "tokens");
        refused("POST", "/sessions/s/stop", "{\"scopes\":\"tree\"}", "scopes", "scope");
        refused("POST", "/sessions/s/removal", "{\"run\":\"stop\"}", "run", "running");
        assertThat(server.get("/sessions").get("sessions").size()).isOne();
    }

    /** A misspelt query of a DELETE would delete what was only to be planned. */
    @Test
    void line_3_a_change_refuses_unknown_queries_too() {
        server.post("/sessions", "{\"session_id\":\"s\"}");
        refused("DELETE", "/sessions/s?dry_rum=true", "", "dry_rum", "dry_run");
        refused("POST", "/sessions/s/stop?wiat=1s", "{}", "wiat", "wait");
        assertThat(server.client().get("/sessions/s").isGood()).isTrue();
        assertThat(server.client().get("/sessions?created_by=me").isGood()).isTrue();
    }

    /** A newer runner may know more than its coordinator. */
    @Test
    void a_runner_may_send_fields_that_are_not_known() {
        var register =
                "{\"hostname\":\"h\",\"project_dir\":\"/p\",\"executor_profile\":\"x\",\"colour\":\"red\"}";
        var runner = text(server.post("/runner/register", register), "runner_id");
        for (var body : List.of("{\"runner_id\":\"%s\",\"load\":0.5}")) {
            server.post("/runner/heartbeat", body.formatted(runner));
        }
    }
}
