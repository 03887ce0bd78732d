package dev.coppice.programs;

import dev.coppice.scene.LongForm;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.util.stream.Stream;

/** Claude Code from npm as an agent, with a scripted model and without a network. */
@LongForm
class ClaudeCodeTest {
    @TestFactory
    Stream<DynamicTest> scenes() {
        var npm = Npm.installed("agents");
        var program = npm.file("@anthropic-ai/claude-code-linux-%s/claude".formatted(Npm.arch()));
        return AgentScenes.of(ClaudeCodeScenes.class, program.toString());
    }
}
