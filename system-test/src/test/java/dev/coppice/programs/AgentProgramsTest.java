package dev.coppice.programs;

import dev.coppice.scene.LongForm;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.nio.file.Files;
import java.util.Map;
import java.util.stream.Stream;

/** Real agent programs from npm as agents, each with a scripted model and without a network. */
@LongForm
@Execution(ExecutionMode.CONCURRENT)
class AgentProgramsTest {
    private static Stream<DynamicTest> scenes(Class<? extends AgentScenes> of, String program) {
        return Offline.tests(of, Map.of(AgentScenes.PROGRAM, program));
    }

    @TestFactory
    Stream<DynamicTest> claude_code() {
        var npm = Npm.installed("agents");
        var program = npm.file("@anthropic-ai/claude-code-linux-%s/claude".formatted(Npm.arch()));
        return scenes(ClaudeCodeScenes.class, program.toString());
    }

    @TestFactory
    Stream<DynamicTest> codex() {
        var triple = Npm.arch().equals("arm64") ? "aarch64" : "x86_64";
        var program =
                Npm.installed("agents")
                        .file(
                                "@openai/codex-linux-%s/vendor/%s-unknown-linux-musl/bin/codex"
                                        .formatted(Npm.arch(), triple));
        return scenes(CodexScenes.class, program.toString());
    }

    @TestFactory
    Stream<DynamicTest> gemini() {
        var npm = Npm.installed("agents");
        var script = npm.file("@google/gemini-cli/bundle/gemini.js");
        return scenes(GeminiScenes.class, npm.node() + " " + script);
    }

    @TestFactory
    Stream<DynamicTest> opencode() {
        var npm = Npm.installed("agents");
        var program = npm.file("opencode-linux-%s/bin/opencode".formatted(Npm.arch()));
        if (!Files.exists(program)) Npm.unavailable("OpenCode is pinned for x64 alone");
        return scenes(OpenCodeScenes.class, program.toString());
    }

    @TestFactory
    Stream<DynamicTest> agent_client_protocol() {
        var npm = Npm.installed("agents");
        var script = npm.file("@zed-industries/claude-agent-acp/dist/index.js");
        return scenes(AcpScenes.class, npm.node() + " " + script);
    }
}
