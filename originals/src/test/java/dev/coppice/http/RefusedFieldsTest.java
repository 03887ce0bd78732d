package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** Line 3 of the command line's promise, over REST: a field without meaning is never taken. */
class RefusedFieldsTest {
    private final Caller server = Product.caller();

    @AfterEach
    void close() {
        server.close();
    }

    private Caller.Sent answer(String method, String path, String body) {
        return server.send(
                method,
                path,
                body,
                Map.of(
                        "Authorization",
                        "Bearer " + server.token(),
                        "Accept",
                        "application/problem+json"));
    }

    private void refused(String method, String path, String body, String field, String near) {
        var answer = answer(method, path, body);
        assertThat(answer.status()).as(path + body).isEqualTo(400);
        assertThat(text(answer.json(), "code")).isEqualTo("field_unknown");
        assertThat(text(answer.json(), "error")).contains("Unknown field '" + field + "';", near);
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

    /** A field in the wrong place would be passed over like an unknown one. */
    @Test
    void line_3_a_field_in_the_wrong_place_is_refused() {
        server.post("/sessions", "{\"session_id\":\"s\"}");
        refused("POST", "/sessions/s/stop?scope=tree", "", "scope", "wait");
        refused("POST", "/sessions/s/usage?tokens=7", "{}", "tokens", "");
        refused("POST", "/sessions/s/stop", "{\"wait\":\"1s\"}", "wait", "scope");
        refused("POST", "/sessions/s/stop", "{\"session_id\":\"other\"}", "session_id", "");
        refused("DELETE", "/sessions/s", "{\"dry_run\":true}", "dry_run", "no fields");
        assertThat(server.client().get("/sessions/s").isGood()).isTrue();
    }

    /** Other fields of a blueprint belong to its author. */
    @Test
    void line_3_a_misspelt_field_of_a_blueprint_is_refused() {
        var misspelt = "{\"name\":\"b\",\"comand\":[\"x\"]}";
        var answer = answer("POST", "/agents", misspelt);
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains("comand", "'command'");
        server.post("/agents", "{\"name\":\"b\",\"command\":[\"x\"],\"team\":\"a\"}");
        assertThat(server.get("/agents/b").toString()).contains("\"team\":\"a\"");
        assertThat(answer("PATCH", "/agents/b", "{\"sysem_prompt\":\"x\"}").status())
                .isEqualTo(400);
    }

    @Test
    void line_3_a_change_of_a_budget_keeps_what_it_does_not_name() {
        server.post("/sessions", "{\"session_id\":\"top\"}");
        server.post("/sessions", "{\"session_id\":\"one\",\"parent_session_id\":\"top\"}");
        server.post("/sessions", "{\"session_id\":\"two\",\"parent_session_id\":\"top\"}");
        change("PUT", "/sessions/top/budget", "{\"tokens\":100}");
        change("PUT", "/sessions/one/budget", "{\"tokens\":80}");
        server.post("/sessions/two/usage", "{\"tokens\":70}");
        var changed = change("PATCH", "/sessions/one/budget", "{\"runs\":9}");
        assertThat(changed)
                .contains("\"kind\":\"tokens\",\"max\":80", "\"kind\":\"runs\",\"max\":9");
        var none = answer("PATCH", "/sessions/two/budget", "{\"policy\":\"stop\"}");
        assertThat(none.status()).isEqualTo(400);
        assertThat(none.body()).contains("policy", "an amount");
    }

    private String change(String method, String path, String body) {
        var answer = answer(method, path, body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.body();
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
