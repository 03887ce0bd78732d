package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.access.Role;
import dev.coppice.tar.Tar;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** Capabilities, scripts and MCP servers, and the blueprints that refer to them. */
class RegistriesTest {
    private static final String SCRIPT =
            """
            {"name": "greet", "description": "Greets somebody", "script_file": "greet.sh",
             "script_content": "#!/bin/sh\\necho hello\\n",
             "parameters_schema": {"type": "object", "required": ["who"], "properties": {
               "who": {"type": "string", "description": "a name"},
               "loud": {"type": "boolean"},
               "tone": {"enum": ["warm", "cold"], "default": "warm"}}},
             "demands": {"tags": ["posix"]}}\
            """;
    private static final String SERVER =
            """
            {"id": "store", "name": "Document store", "url": "http://localhost:9501/mcp",
             "config_schema": {
               "X-Partition": {"type": "string", "required": true},
               "X-Mode": {"type": "string", "default": "strict"}},
             "default_config": {"X-Partition": "${scope.partition}"}}\
            """;

    private final Caller server = new Caller();

    @AfterEach
    void close() {
        server.close();
    }

    private JsonNode call(String method, String path, String body, int status) {
        var answer = server.client().call(method, path, Json.read(body), Map.of());
        assertThat(answer.status())
                .as(method + " " + path + ": " + answer.body())
                .isEqualTo(status);
        return answer.body();
    }

    private JsonNode refusal(String path, String body, int status) {
        return call("POST", path, body, status).path("detail");
    }

    private static String capability(String more) {
        return "{\"name\": \"cap\", \"description\": \"d\", " + more + "}";
    }

    private static String agent(String more) {
        return "{\"name\": \"a\", \"kind\": \"command\", \"command\": [\"true\"], " + more + "}";
    }

    private JsonNode claimed(String request) {
        var runner =
                server.post(
                        "/runner/register",
                        "{\"hostname\": \"h\", \"project_dir\": \"/p\", \"executor_profile\":"
                                + " \"x\", \"protocol\": \"coppice/1\", \"holds\": [], \"tags\":"
                                + " [\"posix\"]}");
        call("POST", "/runs", request, 201);
        var polled = server.get("/runner/runs?runner_id=" + text(runner, "runner_id"));
        return polled.get("run").get("resolved_agent_blueprint");
    }

    @Test
    void an_entry_is_created_read_listed_changed_and_removed() {
        var made = call("POST", "/scripts", SCRIPT, 201);
        assertThat(text(made, "created_at")).isEqualTo(text(made, "modified_at"));
        assertThat(call("POST", "/scripts", SCRIPT, 409).path("detail").asString())
                .isEqualTo("Script already exists: 'greet'");
        var listed = server.get("/scripts").get(0);
        assertThat(listed.has("script_content")).isFalse();
        assertThat(listed.get("has_parameters_schema").asBoolean()).isTrue();
        assertThat(listed.get("demand_tags").toString()).isEqualTo("[\"posix\"]");
        call("PATCH", "/scripts/greet", "{\"description\": \"Says hello\", \"demands\": {}}", 200);
        var read = server.get("/scripts/greet");
        assertThat(text(read, "description")).isEqualTo("Says hello");
        assertThat(text(read, "script_content")).startsWith("#!/bin/sh");
        assertThat(read.has("demands")).isFalse();
        assertThat(server.client().delete("/scripts/greet").status()).isEqualTo(204);
        assertThat(server.client().get("/scripts/greet").status()).isEqualTo(404);
        assertThat(server.client().delete("/scripts/greet").status()).isEqualTo(404);
        assertThat(server.get("/scripts").size()).isZero();
    }

    @Test
    void the_dashboard_changes_an_mcp_server_with_put() {
        call("POST", "/mcp-servers", SERVER, 201);
        var changed = call("PUT", "/mcp-servers/store", "{\"url\": \"https://h/mcp\"}", 200);
        assertThat(text(changed, "url")).isEqualTo("https://h/mcp");
        assertThat(text(changed, "name")).isEqualTo("Document store");
        assertThat(changed.has("updated_at")).isTrue();
        assertThat(server.get("/mcp-servers").get(0)).isEqualTo(changed);
    }

    @Test
    void faulty_entries_are_refused_with_the_field_and_its_rule() {
        var faults = new LinkedHashMap<String, List<String>>();
        faults.put(
                "/scripts",
                List.of(
                        SCRIPT.replace("\"greet.sh\"", "\"../greet.sh\""),
                        SCRIPT.replace("\"greet.sh\"", "\"script.json\""),
                        SCRIPT.replace("\"name\": \"greet\"", "\"name\": \"../x\""),
                        SCRIPT.replace("\"type\": \"object\"", "\"type\": \"objekt\""),
                        SCRIPT.replace("\"description\": \"Greets somebody\",", ""),
                        SCRIPT.replace("\"demands\"", "\"demand\"")));
        faults.put(
                "/mcp-servers",
                List.of(
                        SERVER.replace("http://localhost:9501/mcp", "ftp://h"),
                        SERVER.replace("\"X-Mode\"", "\"X Mode\""),
                        SERVER.replace("${scope.partition}", "a\\nX-Other: b"),
                        SERVER.replace("\"strict\"", "\"a\\nb\""),
                        SERVER.replace("\"required\": true", "\"requird\": true")));
        faults.put(
                "/capabilities",
                List.of(
                        capability("\"type\": \"text\", \"script\": \"greet\""),
                        capability(
                                "\"type\": \"script\", \"mcp_servers\": {\"s\": {\"ref\":"
                                        + " \"store\"}}"),
                        capability("\"type\": \"prompt\"")));
        faults.forEach((path, bodies) -> bodies.forEach(body -> refusal(path, body, 400)));
        refusal("/capabilities", capability("\"script\": \"unknown\""), 422);
        var unknown = "\"mcp_servers\": {\"s\": {\"ref\": \"unknown\"}}";
        refusal("/capabilities", capability(unknown), 422);
        for (var path : faults.keySet()) assertThat(server.get(path).size()).isZero();
    }

    @Test
    void capabilities_add_their_texts_scripts_and_servers_to_a_blueprint() {
        call("POST", "/scripts", SCRIPT, 201);
        call("POST", "/mcp-servers", SERVER, 201);
        call(
                "POST",
                "/capabilities",
                "{\"name\": \"polite\", \"description\": \"d\", \"type\": \"script\", \"script\":"
                        + " \"greet\", \"text\": \"Be polite.\"}",
                201);
        call(
                "POST",
                "/capabilities",
                "{\"name\": \"docs\", \"description\": \"d\", \"mcp_servers\": {\"documents\":"
                        + " {\"ref\": \"store\", \"config\": {\"X-Mode\": \"lax\"}}}}",
                201);
        call(
                "POST",
                "/agents",
                agent(
                        "\"system_prompt\": \"You greet.\", \"capabilities\": [\"polite\","
                                + " \"docs\"]"),
                201);
        var usage =
                """
                You greet.

                ---

                Be polite.

                ---

                ## Local Script: greet
                **Description:** Greets somebody

                **Usage:**
                ```bash
                ${runner.scripts}/greet/greet.sh --who <who> [--loud] [--tone <warm|cold>]
                ```

                **Arguments:**
                - `--who` (required) - a name
                - `--loud` (optional) (boolean)
                - `--tone` (optional) One of: warm, cold [default: warm]\
                """;
        var read = server.get("/agents/a");
        assertThat(text(read, "system_prompt")).isEqualTo(usage);
        assertThat(read.has("resolved_scripts")).isFalse();
        assertThat(read.at("/mcp_servers/documents/ref").asString()).isEqualTo("store");
        assertThat(text(server.get("/agents/a?raw=true"), "system_prompt")).isEqualTo("You greet.");
        var run =
                claimed(
                        "{\"agent_name\": \"a\", \"prompt\": \"x\", \"scope\": {\"partition\":"
                                + " \"p1\"}}");
        assertThat(run.at("/mcp_servers/documents").toString())
                .isEqualTo(
                        "{\"type\":\"http\",\"url\":\"http://localhost:9501/mcp\",\"headers\":{\"X-Partition\":\"p1\",\"X-Mode\":\"lax\"}}");
        assertThat(run.at("/resolved_scripts/greet/content").asString()).startsWith("#!/bin/sh");
        assertThat(text(run, "system_prompt")).contains("${runner.scripts@run_");
    }

    @Test
    void required_configuration_must_have_a_value_when_a_run_starts() {
        call("POST", "/mcp-servers", SERVER, 201);
        call("POST", "/agents", agent("\"mcp_servers\": {\"docs\": {\"ref\": \"store\"}}"), 201);
        var detail = refusal("/runs", "{\"agent_name\": \"a\", \"prompt\": \"x\"}", 400);
        assertThat(text(detail, "error")).isEqualTo("missing_required_mcp_config");
        assertThat(text(detail, "server_name")).isEqualTo("docs");
        assertThat(detail.get("missing_fields").toString()).isEqualTo("[\"X-Partition\"]");
        assertThat(server.get("/sessions").get("sessions").size()).isZero();
    }

    @Test
    void what_is_referred_to_cannot_be_removed() {
        call("POST", "/scripts", SCRIPT, 201);
        call("POST", "/mcp-servers", SERVER, 201);
        call("POST", "/capabilities", capability("\"script\": \"greet\""), 201);
        call(
                "POST",
                "/agents",
                agent(
                        "\"capabilities\": [\"cap\"], \"mcp_servers\": {\"docs\": {\"ref\":"
                                + " \"store\"}}"),
                201);
        assertThat(call("DELETE", "/capabilities/cap", "{}", 409).path("detail").asString())
                .isEqualTo("Capability 'cap' is referenced by agent 'a'");
        assertThat(call("DELETE", "/scripts/greet", "{}", 409).path("detail").asString())
                .isEqualTo("Script 'greet' is referenced by capability 'cap'");
        assertThat(call("DELETE", "/mcp-servers/store", "{}", 409).path("detail").asString())
                .isEqualTo("MCP server 'store' is referenced by agent 'a'");
        server.client().delete("/agents/a");
        server.client().delete("/capabilities/cap");
        assertThat(server.client().delete("/scripts/greet").status()).isEqualTo(204);
        assertThat(server.client().delete("/mcp-servers/store").status()).isEqualTo(204);
    }

    @Test
    void an_agent_whose_references_are_lost_spoils_no_list_and_starts_no_run() throws Exception {
        call("POST", "/capabilities", capability("\"text\": \"t\""), 201);
        call("POST", "/agents", agent("\"capabilities\": [\"cap\"]"), 201);
        Files.delete(server.directory().resolve("capabilities/cap/capability.json"));
        var listed = server.get("/agents");
        assertThat(listed.size()).isEqualTo(2);
        assertThat(text(listed.get(0), "resolution_error"))
                .isEqualTo("Capability 'cap', to which 'a' refers, does not exist");
        assertThat(server.client().get("/agents/a").status()).isEqualTo(422);
        assertThat(server.client().get("/agents/a?raw=true").status()).isEqualTo(200);
        refusal("/runs", "{\"agent_name\": \"a\", \"prompt\": \"x\"}", 422);
        call("PATCH", "/agents/a/status", "{\"status\": \"inactive\"}", 200);
        call("PATCH", "/agents/a/status", "{\"status\": \"active\"}", 422);
    }

    @Test
    void two_mcp_servers_of_the_same_name_are_a_conflict() {
        call("POST", "/mcp-servers", SERVER, 201);
        call(
                "POST",
                "/capabilities",
                capability("\"mcp_servers\": {\"docs\": {\"ref\": \"store\"}}"),
                201);
        var both =
                agent(
                        "\"capabilities\": [\"cap\"], \"mcp_servers\": {\"docs\": {\"ref\":"
                                + " \"store\"}}");
        assertThat(refusal("/agents", both, 422).asString())
                .isEqualTo(
                        "Agent 'a' has two MCP servers named 'docs': from capability 'cap' and"
                                + " from the blueprint itself");
    }

    @Test
    void a_script_is_downloaded_as_the_originals_runners_unpack_it() throws Exception {
        call("POST", "/scripts", SCRIPT, 201);
        var bytes = new ByteArrayOutputStream();
        server.client().download("/scripts/greet/download", bytes);
        var files = unpacked(bytes.toByteArray());
        assertThat(files.keySet()).containsExactly("greet/", "greet/greet.sh", "greet/script.json");
        assertThat(files.get("greet/greet.sh")).isEqualTo("#!/bin/sh\necho hello\n");
        var document = Json.read(String.valueOf(files.get("greet/script.json")));
        assertThat(text(document, "script_file")).isEqualTo("greet.sh");
        assertThat(document.has("script_content")).isFalse();
        assertThat(server.client().get("/scripts/none/download").status()).isEqualTo(404);
    }

    static Map<String, String> unpacked(byte[] archive) throws IOException {
        var files = new LinkedHashMap<String, String>();
        var in = new Tar.Reader(new GZIPInputStream(new ByteArrayInputStream(archive)));
        for (var header = in.next(); header != null; header = in.next()) {
            var content = new ByteArrayOutputStream();
            var part = new byte[1000];
            for (int n = in.read(part); n > 0; n = in.read(part)) content.write(part, 0, n);
            files.put(header.name(), content.toString(StandardCharsets.UTF_8));
        }
        return files;
    }

    @Test
    void values_of_headers_are_shown_only_to_callers_that_may_set_them() {
        call("POST", "/mcp-servers", SERVER.replace("${scope.partition}", "hunter2"), 201);
        call(
                "POST",
                "/agents",
                agent(
                        "\"mcp_servers\": {\"docs\": {\"ref\": \"store\", \"config\": {\"X-Mode\":"
                                + " \"hunter3\"}}}"),
                201);
        call(
                "PUT",
                "/mcp-servers/store",
                SERVER.replace("\"strict\"", "\"hunter4\"").replace("\"id\": \"store\", ", ""),
                200);
        var viewer = server.as(dev.coppice.access.Caller.as(Role.VIEWER));
        for (var path : List.of("/mcp-servers", "/mcp-servers/store", "/agents", "/agents/a")) {
            assertThat(viewer.get(path).body().toString())
                    .contains("(hidden)")
                    .doesNotContain("hunter");
        }
    }

    /** Keys stand in arguments and addresses as often as in headers. */
    @Test
    void keys_in_arguments_and_addresses_of_servers_are_hidden_as_headers_are() {
        var address = "https://me:hunter1@tools.example:8443/hunter2/mcp?key=hunter3";
        call("POST", "/mcp-servers", SERVER.replace("http://localhost:9501/mcp", address), 201);
        var started =
                "{\"type\": \"stdio\", \"command\": \"npx hunter4\", \"args\": [\"--token\","
                        + " \"hunter5\", \"--key=hunter6\", \"-phunter7\", \"${params.prompt}\"]}";
        var reached = "{\"type\": \"sse\", \"url\": \"http://hunter8/@tools.example/sse\"}";
        var docs = "{\"ref\": \"store\", \"config\": {}}";
        call(
                "POST",
                "/agents",
                agent(
                        "\"mcp_servers\": {\"one\": %s, \"two\": %s, \"docs\": %s}"
                                .formatted(started, reached, docs)),
                201);
        var viewer = server.as(dev.coppice.access.Caller.as(Role.VIEWER));
        for (var path : List.of("/mcp-servers", "/mcp-servers/store", "/agents", "/agents/a")) {
            assertThat(viewer.get(path).body().toString()).as(path).doesNotContain("hunter");
        }
        assertThat(text(viewer.get("/mcp-servers/store").body(), "url"))
                .isEqualTo("https://tools.example:8443/(hidden)");
        assertThat(viewer.get("/agents/a").body().at("/mcp_servers/one").toString())
                .contains("\"npx (hidden)\"")
                .contains(
                        "[\"--token\",\"(hidden)\",\"--key=(hidden)\",\"(hidden)\","
                                + "\"${params.prompt}\"]");
        assertThat(server.get("/agents/a").toString()).contains("hunter5", "hunter8");
    }

    /** A schema may have a parameter of that name. */
    @Test
    void schemas_are_shown_to_everybody() {
        var schema = "\"parameters_schema\": {\"properties\": {\"env\": {\"type\": \"object\"}}}";
        call("POST", "/agents", agent(schema), 201);
        var viewer = server.as(dev.coppice.access.Caller.as(Role.VIEWER));
        assertThat(
                        viewer.get("/agents/a")
                                .body()
                                .at("/parameters_schema/properties/env/type")
                                .asString())
                .isEqualTo("object");
    }

    @Test
    void a_broken_entry_is_replaced_or_removed_by_request() throws Exception {
        for (var path : List.of("agents/a/agent.json", "scripts/greet/script.json")) {
            var file = server.directory().resolve(path);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "{");
        }
        assertThat(server.client().get("/agents/a").status()).isEqualTo(404);
        call("DELETE", "/scripts/greet", "{}", 204);
        call("POST", "/agents", agent("\"tags\": []"), 201);
        Files.writeString(server.directory().resolve("agents/a/agent.json"), "{");
        call("DELETE", "/agents/a", "{}", 204);
        assertThat(server.client().delete("/agents/a").status()).isEqualTo(404);
    }

    @Test
    void an_agent_that_others_have_as_a_hook_stays() {
        call("POST", "/agents", agent("\"tags\": []"), 201);
        var hooked =
                "\"hooks\": {\"on_run_start\": {\"agent_name\": \"a\"}, \"on_run_finish\": null}";
        call("POST", "/agents", agent(hooked).replace("\"a\", \"kind\"", "\"b\", \"kind\""), 201);
        assertThat(call("DELETE", "/agents/a", "{}", 409).path("detail").asString())
                .isEqualTo("Agent 'a' is referenced by agent 'b'");
        refusal(
                "/agents",
                agent(hooked.replace("\"a\"", "\"none\""))
                        .replace("\"a\", \"kind\"", "\"c\", \"kind\""),
                400);
    }
}
