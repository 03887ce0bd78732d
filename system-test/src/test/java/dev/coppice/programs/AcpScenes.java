package dev.coppice.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.InSoak;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Map;

/** An agent that speaks the Agent Client Protocol: Claude Code behind its adapter. */
class AcpScenes extends AgentScenes {
    AcpScenes() {
        super("acp");
    }

    @BeforeAll
    void define() {
        define("acp", Map.of());
    }

    @Test
    @InSoak
    void a_run_prints_the_result_and_a_resume_goes_on() {
        assertThat(run("plain", "acp", "the word is heron\n!say all done")).contains("all done");
        assertThat(events("plain", "message").toString()).contains("all done");
        assertThat(machine.run("resume", "plain", "-p", "which?\n!say it was heron"))
                .contains("it was heron");
        assertThat(model.heard().getLast()).contains("the word is heron", "which?");
    }

    @Test
    @InSoak
    void a_person_allows_a_tool() {
        var started =
                begin(
                        "asks",
                        "acp",
                        "!call Bash {\"command\": \"touch allowed.txt\", \"description\":"
                                + " \"make\"}\n"
                                + "!say done");
        awaitEvent("asks", "permission_request");
        machine.run("send", "asks", "allow");
        assertThat(started.awaitExit()).isZero();
        assertThat(events("asks", "post_tool")).hasSize(1);
    }

    @Test
    void an_agent_starts_a_child_is_woken_by_it_and_deletes_it() {
        var call = "!call mcp__coppice__start_agent_session " + callingBack("daughter");
        var started = begin("mother", "acp", call + "\n!say waiting");
        awaitEvent("mother", "permission_request");
        machine.run("send", "mother", "allow");
        assertThat(started.awaitExit()).isZero();
        awaitWoken("mother", "daughter");
        var deleting = machine.start("resume", "mother", "-p", deleting("daughter"));
        awaitEvents("mother", "permission_request", 2);
        machine.run("send", "mother", "allow");
        assertThat(deleting.awaitExit()).isZero();
        assertIsRemoved("daughter");
    }

    @Test
    @InSoak
    void a_stop_cancels_the_turn_and_leaves_no_process() {
        begin("stopped", "acp", "!stream 600 100\n!say x");
        awaitEvent("stopped", "program_started");
        machine.run("stop", "stopped");
        machine.awaitState("stopped", "stopped");
        assertThat(machine.carrying("AGENT_SESSION_NAME=stopped")).isEmpty();
    }

    @Test
    @InSoak
    void the_page_is_right_as_it_is_written() throws IOException {
        assertThat(page("docs/how-to/acp.md", "claude-agent-acp"))
                .contains("heard: Say which files");
    }
}
