package dev.coppice.programs;

import dev.coppice.scene.LongForm;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.util.stream.Stream;

/**
 * A program that speaks the Agent Client Protocol from npm as an agent, with a scripted model and
 * without a network.
 */
@LongForm
class AcpTest {
    @TestFactory
    Stream<DynamicTest> scenes() {
        var npm = Npm.installed("agents");
        var script = npm.file("@zed-industries/claude-agent-acp/dist/index.js");
        return AgentScenes.of(AcpScenes.class, npm.node() + " " + script);
    }
}
