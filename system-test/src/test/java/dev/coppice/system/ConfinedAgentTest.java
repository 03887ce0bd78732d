package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Eventually;
import dev.coppice.scene.Temporary;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Runs an agent as another user by its blueprint's command, as docs/how-to/confine-agents.md says.
 */
class ConfinedAgentTest {
    @Test
    void an_agent_of_another_user_cannot_read_the_data_directory_and_can_be_stopped()
            throws Exception {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")));
        var project = Temporary.directory("coppice-project");
        Files.setPosixFilePermissions(project, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (var machine = new Machine()) {
            machine.up();
            machine.post(
                    "/agents",
                    """
                    {"name":"confined","kind":"command","command":["setpriv","--reuid=65534",
                     "--regid=65534","--clear-groups","--no-new-privs","sh"]}
                    """);
            machine.post(
                    "/agents", "{\"name\":\"open\",\"kind\":\"command\",\"command\":[\"sh\"]}");
            var look = "id -u; cat %s/token && echo read || echo denied".formatted(machine.data());
            var dir = project.toString();
            machine.run("start", "out", "--agent", "confined", "--project-dir", dir, "-p", look);
            assertThat(machine.run("result", "out")).contains("65534", "denied");
            machine.run("start", "in", "--agent", "open", "--project-dir", dir, "-p", look);
            assertThat(machine.run("result", "in")).contains("read");
            machine.run(
                    "start",
                    "stays",
                    "--agent",
                    "confined",
                    "--project-dir",
                    dir,
                    "--mode",
                    "async_poll",
                    "-p",
                    "setsid sleep 1000 & sleep 1000");
            machine.awaitState("stays", "running");
            Eventually.await(
                    () -> machine.carrying("AGENT_SESSION_NAME=stays").size() > 1,
                    () -> "the agent does not start");
            machine.run("stop", "stays");
            Eventually.await(
                    () -> machine.carrying("AGENT_SESSION_NAME=stays").isEmpty(),
                    () -> "left: " + machine.carrying("AGENT_SESSION_NAME=stays"));
        }
    }
}
