package dev.coppice.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.scene.InSoak;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Gemini CLI itself, connected by the command and started by a person, with a scripted model. */
class GeminiScenes extends AgentScenes {
    private static final String SETTINGS =
            """
            { "security":{"auth":{"selectedType":"gemini-api-key"}},
              "privacy":{"usageStatisticsEnabled":false}, "general":{"enableAutoUpdate":false} }
            """;

    GeminiScenes() {
        super("gemini");
    }

    @BeforeAll
    void configure() throws IOException {
        Files.writeString(settings(), SETTINGS);
    }

    private Path settings() throws IOException {
        return Files.createDirectories(home.resolve(".gemini")).resolve("settings.json");
    }

    private ByHand byHandIn(String directory, String prompt) throws IOException {
        var project = Files.createDirectories(home.resolve(directory));
        var more = Map.of("GEMINI_API_KEY", "none", "GOOGLE_GEMINI_BASE_URL", model.url());
        return byHand(project, List.of("--skip-trust", "--yolo", "-p", prompt), more);
    }

    private static String shell(String command) {
        return "!call run_shell_command " + Json.write(Map.of("command", command)) + "\n";
    }

    private static String invoke(String prompt) {
        var input = Map.of("agent_name", "generalist", "prompt", prompt);
        return "!call invoke_agent " + Json.write(input) + "\n";
    }

    @Test
    void a_session_that_a_person_starts_stands_in_a_tree() throws Exception {
        machine.run("connect", "gemini");
        var inner =
                "look\n"
                        + shell("echo from below")
                        + "!call complete_task {\"result\": {\"response\": \"looked\"}}\n"
                        + "!spend 7 1";
        byHandIn("shop", shell("echo from above") + invoke(inner) + "!say done").awaitGood();
        assertThat(Json.text(observed("shop"), "state")).isEqualTo("finished");
        var events = machine.run("events", id(observed("shop")));
        assertThat(events).contains("from above", "from below");
        var below = below("shop");
        assertThat(below).hasSize(1);
        assertThat(Json.text(below.get(0), "state")).isEqualTo("finished");
        assertThat(relations(below.get(0))).contains("\"evidence\":\"tool_response\"");
        Eventually.await(
                () -> machine.run("usage", id(below.get(0))).contains("itself  16"),
                () -> machine.run("usage", id(below.get(0))));
        machine.run("connect", "gemini", "--undo");
        assertThat(Files.readString(settings())).isEqualTo(SETTINGS);
    }

    @Test
    @InSoak
    void subagents_obey_the_tree() throws Exception {
        machine.run("connect", "gemini");
        assertSubagentsObey((directory, command) ->
                byHandIn(directory, shell(command) + invoke("!say no") + "!say done"));
        machine.run("connect", "gemini", "--undo");
    }
}
