package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.cli.engine.Exit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The registries from the command line: from an empty one to another coordinator's copy of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RegistryCommandsTest {
    private final Machine machine = new Machine();
    private final Machine other = new Machine();

    @BeforeAll
    void start() {
        machine.up();
        other.up();
    }

    @AfterAll
    void stop() {
        machine.close();
        other.close();
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(machine.data().resolve(name), text);
    }

    @Test
    void a_script_goes_from_a_file_to_another_coordinator_and_runs_there() throws Exception {
        var script = file("greet.sh", "#!/bin/sh\necho \"{\\\"hello\\\": \\\"$2\\\"}\"\n");
        machine.run("registry", "scripts", "add", "greet", script.toString(), "--about", "Greets");
        var agent = file("greeter.json", "{\"type\": \"procedural\", \"script\": \"greet\"}");
        machine.run("blueprints", "add", "greeter", "--file", agent.toString());
        assertThat(machine.run("registry")).contains("scripts", "greet", "Greets");
        assertThat(machine.run("registry", "scripts", "show", "greet")).contains("greet.sh");
        assertThat(machine.run(Exit.REFUSED.code(), "registry", "scripts", "rm", "greet", "--yes"))
                .contains("Script 'greet' is referenced by agent 'greeter'");
        var archive = machine.data().resolve("config.tar.gz").toString();
        machine.run("registry", "export", archive);
        assertThat(other.run("registry", "import", archive, "--yes"))
                .contains("imported 1 blueprints, 0 capabilities, 1 scripts, 0 MCP servers");
        assertThat(other.run("start", "g", "--agent", "greeter", "-p", "Ada"))
                .contains("{\"hello\":\"Ada\"}");
    }

    @Test
    void entries_are_edited_and_wrong_words_are_named() throws Exception {
        var server = file("docs.json", "{\"name\": \"Docs\", \"url\": \"http://localhost:1/mcp\"}");
        machine.run("registry", "mcp-servers", "add", "docs", "--file", server.toString());
        var change =
                file("change.json", "{\"name\": \"Papers\", \"url\": \"http://localhost:2/\"}");
        machine.run("registry", "mcp-servers", "edit", "docs", "--file", change.toString());
        assertThat(machine.run("registry", "mcp-servers", "show", "docs"))
                .contains("\"Papers\"", "http://localhost:2/");
        machine.run("registry", "mcp-servers", "rm", "docs", "--yes");
        assertThat(machine.run("registry", "mcp-servers")).doesNotContain("docs");
        assertThat(machine.run(Exit.USAGE.code(), "registry", "agents"))
                .contains("'agents' is not one of capabilities, scripts, mcp-servers");
        machine.run(Exit.NOT_FOUND.code(), "registry", "scripts", "show", "nobody");
    }
}
