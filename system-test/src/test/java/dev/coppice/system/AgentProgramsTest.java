package dev.coppice.system;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.util.Map;
import java.util.stream.Stream;

/** Real agent programs from npm as agents, each with a scripted model and without a network. */
class AgentProgramsTest {
    @TestFactory
    Stream<DynamicTest> claude_code() {
        var npm = Npm.installed("agents");
        var program = npm.file("@anthropic-ai/claude-code-linux-%s/claude".formatted(Npm.arch()));
        return Offline.tests(
                ClaudeCodeScenes.class, Map.of(ClaudeCodeScenes.PROGRAM, program.toString()));
    }
}
