package dev.coppice.http;

import static dev.coppice.http.Caller.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.tar.Tar;
import dev.coppice.tar.Tar.Header;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/** The export and import of blueprints and registries. */
class ConfigurationTest {
    private final Caller server = new Caller();

    @AfterEach
    void close() {
        server.close();
    }

    /** A configuration as the originals have it: every long text in a file of its own. */
    private static Map<String, String> original() {
        var files = new LinkedHashMap<String, String>();
        files.put(
                "agents/helper/agent.json",
                "{\"name\":\"helper\",\"description\":\"d\",\"capabilities\":[\"docs\"]}");
        files.put("agents/helper/agent.system-prompt.md", "Help.");
        files.put("agents/helper/agent.mcp.json", "{\"mcpServers\":{\"own\":{\"ref\":\"store\"}}}");
        files.put("agents/off/agent.json", "{\"name\":\"off\",\"description\":\"d\"}");
        files.put("agents/off/.disabled", "");
        files.put("agents/README.md", "read me");
        files.put(
                "capabilities/docs/capability.json",
                "{\"name\":\"docs\",\"description\":\"d\",\"type\":\"script\",\"script\":\"greet\"}");
        files.put("capabilities/docs/capability.text.md", "Use the documents.");
        files.put(
                "scripts/greet/script.json",
                "{\"name\":\"greet\",\"description\":\"d\",\"script_file\":\"greet.sh\"}");
        files.put("scripts/greet/greet.sh", "#!/bin/sh\n");
        files.put(
                "mcp-servers/store/mcp-server.json",
                "{\"id\":\"store\",\"name\":\"Store\",\"url\":\"http://localhost:9501/mcp\"}");
        return files;
    }

    private static byte[] packed(Map<String, String> files) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(bytes)) {
            for (var file : files.entrySet()) {
                var content = file.getValue().getBytes(StandardCharsets.UTF_8);
                char type = file.getKey().endsWith("@") ? Header.LINK : Header.FILE;
                var size = type == Header.FILE ? content.length : 0;
                Tar.write(
                        new Header(file.getKey(), type, 0644, size, Instant.EPOCH, "", List.of()),
                        out);
                out.write(content, 0, size);
                out.write(new byte[(int) (Tar.padded(size) - size)]);
            }
            out.write(new byte[1024]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static String request(Map<String, String> files) {
        return "{\"file\":\"" + Base64.getEncoder().encodeToString(packed(files)) + "\"}";
    }

    private Map<String, String> exported() throws IOException {
        var bytes = new ByteArrayOutputStream();
        server.client().download("/config/export", bytes);
        var files = new TreeMap<>(RegistriesTest.unpacked(bytes.toByteArray()));
        files.keySet().removeIf(path -> path.endsWith("/"));
        return files;
    }

    @Test
    void a_configuration_of_the_original_is_imported_whole() {
        server.post("/agents", "{\"name\":\"old\",\"command\":[\"true\"]}");
        var answer = server.post("/config/import", request(original()));
        assertThat(answer.toString())
                .isEqualTo(
                        "{\"message\":\"Configuration imported"
                            + " successfully\",\"agents_imported\":2,"
                            + "\"capabilities_imported\":1,\"agents_replaced\":1,"
                            + "\"capabilities_replaced\":0,\"scripts_imported\":1,"
                            + "\"mcp_servers_imported\":1,\"scripts_replaced\":0,"
                            + "\"mcp_servers_replaced\":0,\"ignored\":[\"agents/README.md\"],\"unresolved\":[]}");
        assertThat(server.client().get("/agents/old").status()).isEqualTo(404);
        var helper = server.get("/agents/helper");
        assertThat(text(helper, "system_prompt"))
                .startsWith("Help.\n\n---\n\nUse the documents.\n\n---\n\n## Local Script: greet");
        assertThat(helper.at("/mcp_servers/own/ref").asString()).isEqualTo("store");
        assertThat(text(server.get("/agents/off"), "status")).isEqualTo("inactive");
    }

    @Test
    void what_is_exported_is_imported_unchanged_and_without_registries_it_has_not()
            throws Exception {
        server.post("/config/import", request(original()));
        var files = exported();
        assertThat(files.keySet())
                .containsAll(
                        original().keySet().stream()
                                .filter(f -> !f.endsWith("README.md"))
                                .toList());
        assertThat(files.get("agents/helper/agent.json")).doesNotContain("Help.");
        server.post("/config/import", request(files));
        assertThat(exported()).isEqualTo(files);
        var agents = Map.of("agents/new/agent.json", "{\"command\":[\"true\"]}");
        server.post("/config/import", request(agents));
        assertThat(server.get("/agents").size()).isEqualTo(2);
        assertThat(server.get("/capabilities").size()).isEqualTo(1);
    }

    /** The dashboard sends a form; curl may send the file itself. */
    @Test
    void an_archive_comes_as_a_form_or_as_the_body() throws Exception {
        var archive = packed(original());
        var form =
                """
                --xyz
                Content-Disposition: form-data; name="file"; filename="c.tar.gz"
                Content-Type: application/gzip

                """
                        .replace("\n", "\r\n");
        var body = new ByteArrayOutputStream();
        body.write(form.getBytes(StandardCharsets.UTF_8));
        body.write(archive);
        body.write("\r\n--xyz--\r\n".getBytes(StandardCharsets.UTF_8));
        assertThat(sent("multipart/form-data; boundary=xyz", body.toByteArray())).isEqualTo(200);
        assertThat(sent("application/gzip", archive)).isEqualTo(200);
        assertThat(sent("multipart/form-data", body.toByteArray())).isEqualTo(400);
        assertThat(sent("multipart/form-data; boundary=xyz", archive)).isEqualTo(400);
        assertThat(sent("application/gzip", new byte[] {1, 2, 3})).isEqualTo(400);
    }

    private int sent(String contentType, byte[] body) throws Exception {
        var uri = java.net.URI.create(server.coordinator().url() + "/config/import");
        var request =
                java.net.http.HttpRequest.newBuilder(uri)
                        .header("Content-Type", contentType)
                        .header("Authorization", "Bearer " + server.token())
                        .POST(java.net.http.HttpRequest.BodyPublishers.ofByteArray(body));
        try (var http = java.net.http.HttpClient.newHttpClient()) {
            return http.send(request.build(), java.net.http.HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    /** A refused archive changes nothing at all. */
    @Test
    void a_faulty_archive_is_refused_whole() throws Exception {
        server.post("/config/import", request(original()));
        var before = exported();
        var faulty = new LinkedHashMap<String, Map<String, String>>();
        faulty.put("'file' is not valid: 'none'", Map.of("README.md", "x"));
        faulty.put("without unsafe paths", Map.of("agents/../../etc/agent.json", "{}"));
        faulty.put("without links", Map.of("agents/a@", ""));
        faulty.put("agents/a/agent.json' is not valid", Map.of("agents/a/agent.json", "{"));
        faulty.put(
                "agents/a: kind' is not valid", Map.of("agents/a/agent.json", "{\"kind\":\"x\"}"));
        faulty.put(
                "Capability 'gone'",
                Map.of(
                        "agents/a/agent.json",
                        "{\"capabilities\":[\"gone\"]}",
                        "capabilities/docs/capability.json",
                        "{\"description\":\"d\"}"));
        faulty.put(
                "Script 'greet', to which 'docs' refers",
                Map.of("scripts/x/script.json", script("x"), "scripts/x/x", "#!"));
        faulty.put(
                "Script 'greet'",
                Map.of(
                        "scripts/x/script.json",
                        script("x"),
                        "scripts/x/x",
                        "#!",
                        "capabilities/docs/capability.json",
                        "{\"description\":\"d\",\"script\":\"greet\"}"));
        faulty.put("script_content' is not valid", Map.of("scripts/x/script.json", script("x")));
        faulty.put("at most 262144 bytes", Map.of("agents/a/agent.json", " ".repeat(300_000)));
        faulty.forEach((said, files) -> {
            var refused = server.refused("/config/import", request(files));
            assertThat(refused.status())
                    .as(said)
                    .isEqualTo(said.matches("(Capability|Script) '.*") ? 422 : 400);
            assertThat(text(refused.body(), "error")).contains(said);
        });
        assertThat(exported()).isEqualTo(before);
    }

    private static String script(String file) {
        return "{\"description\":\"d\",\"script_file\":\"%s\"}".formatted(file);
    }

    /** A small archive must not become a large one in memory. */
    @Test
    void an_archive_that_unpacks_to_too_much_is_refused() {
        var files = new LinkedHashMap<String, String>();
        for (int i = 0; i < 300; i++) files.put("agents/a" + i + "/x", " ".repeat(260_000));
        var refused = server.refused("/config/import", request(files));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(text(refused.body(), "error")).contains("at most 20000 files");
    }

    /** 80 kilobytes that would become gigabytes of JSON values. */
    @Test
    void an_archive_that_unpacks_to_too_many_values_is_refused_before_they_are_made() {
        var values = "{\"description\":[" + "[],".repeat(80_000) + "[]]}";
        var files = new LinkedHashMap<String, String>();
        for (int i = 0; i < 250; i++) files.put("agents/a" + i + "/agent.json", values);
        var refused = server.refused("/config/import", request(files));
        assertThat(refused.status()).isEqualTo(413);
        assertThat(text(refused.body(), "error")).contains("'archive in memory' is too large");
    }

    @Test
    void an_archive_with_long_paths_is_refused() {
        var files = new LinkedHashMap<String, String>();
        for (int i = 0; i < 80; i++) files.put("agents/" + i + "/" + "x".repeat(900_000), "");
        var refused = server.refused("/config/import", request(files));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(text(refused.body(), "error")).contains("at most 20000 files");
    }

    /** The original exports agents and capabilities, and not what these refer to. */
    @Test
    void an_export_of_the_original_is_imported_with_what_it_lacks_named() {
        var files = original();
        files.keySet().removeIf(path -> path.startsWith("scripts") || path.startsWith("mcp"));
        var answer = server.post("/config/import", request(files));
        assertThat(answer.get("unresolved").toString())
                .contains("Script 'greet', to which 'docs' refers, does not exist");
        assertThat(text(server.get("/agents").get(0), "resolution_error"))
                .isEqualTo("Script 'greet', to which 'helper' refers, does not exist");
        var refused = server.refused("/runs", "{\"agent_name\":\"helper\",\"prompt\":\"x\"}");
        assertThat(refused.status()).isEqualTo(422);
    }
}
