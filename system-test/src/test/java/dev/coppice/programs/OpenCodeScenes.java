package dev.coppice.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.scene.InSoak;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;

/** OpenCode itself, connected by the command and started by a person, with a scripted model. */
class OpenCodeScenes extends AgentScenes {
    OpenCodeScenes() {
        super("opencode");
    }

    @BeforeAll
    void configure() throws IOException {
        var directory = Files.createDirectories(home.resolve(".config/opencode"));
        Files.writeString(
                directory.resolve("opencode.json"),
                """
                {"model": "scripted/model", "small_model": "scripted/model", "share": "disabled",
                 "autoupdate": false, "permission": {"*": "allow"}, "subagent_depth": 2,
                 "agent": {"deep": {"description": "a", "mode": "subagent",
                                    "permission": {"*": "allow", "task": "allow"}}},
                 "provider": {"scripted": {
                    "npm": "@ai-sdk/openai-compatible", "name": "Scripted",
                    "options": {"baseURL": "%s/v1", "apiKey": "none"},
                    "models": {"model": {
                        "name": "Model", "limit": {"context": 100000, "output": 4000}}}}}}
                """
                        .formatted(model.url()));
    }

    private static String task(String type, String prompt) {
        var input = Map.of("description", "look", "prompt", prompt, "subagent_type", type);
        return "!call task " + Json.write(input) + "\n";
    }

    private static String shell(String command) {
        return "!call bash " + Json.write(Map.of("command", command, "description", "a")) + "\n";
    }

    private ByHand byHandIn(String directory, String prompt) throws IOException {
        var project = Files.createDirectories(home.resolve(directory));
        // Before it loads a plugin, OpenCode installs a package, and tries so for a minute.
        var more =
                Map.of(
                        "npm_config_registry",
                        "http://127.0.0.1:9",
                        "npm_config_fetch_retries",
                        "0");
        return byHand(project, List.of("run"), more, prompt);
    }

    @Test
    void a_session_that_a_person_starts_stands_in_a_tree() throws Exception {
        assertThat(machine.run("connect", "opencode")).contains("coppice.js: new");
        var deeper =
                task(
                        "general",
                        "deeper\n" + shell("echo from below") + "!spend 7 1\n!say deep done");
        byHandIn("shop", task("deep", "look\n" + deeper + "!say looked") + "!say done").awaitGood();
        var below = below("shop");
        assertThat(below).hasSize(2);
        assertThat(Json.text(below.get(1), "parent_session_id")).isEqualTo(id(below.get(0)));
        // On a busy machine the program does not wait for the answer to what it tells.
        Eventually.await(
                () ->
                        below("shop").findValuesAsString("state").stream()
                                .allMatch("finished"::equals),
                () -> below("shop").toString());
        for (var one : below) {
            assertThat(relations(one)).contains("\"evidence\":\"declared\"");
        }
        assertThat(machine.run("events", id(below.get(1)))).contains("from below");
        Eventually.await(
                () -> machine.run("usage", id(below.get(1))).contains("itself  16"),
                () -> machine.run("usage", id(below.get(1))));
        // The program has ended, although it told only that it waits.
        Eventually.await(
                () -> "finished".equals(Json.text(observed("shop"), "state")),
                () -> observed("shop").toString());
        machine.run("connect", "opencode", "--undo");
        assertThat(home.resolve(".config/opencode/plugin/coppice.js")).doesNotExist();
    }

    @Test
    @InSoak
    void subagents_obey_the_tree() throws Exception {
        machine.run("connect", "opencode");
        assertSubagentsObey((directory, command) ->
                byHandIn(directory, shell(command) + task("general", "!say no") + "!say done"));
        machine.run("connect", "opencode", "--undo");
    }
}
