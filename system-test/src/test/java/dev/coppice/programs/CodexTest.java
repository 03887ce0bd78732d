package dev.coppice.programs;

import dev.coppice.scene.LongForm;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.util.stream.Stream;

/** Codex from npm as an agent, with a scripted model and without a network. */
@LongForm
class CodexTest {
    @TestFactory
    Stream<DynamicTest> scenes() {
        var npm = Npm.installed("agents");
        var triple = Npm.arch().equals("arm64") ? "aarch64" : "x86_64";
        var program =
                npm.file(
                        "@openai/codex-linux-%s/vendor/%s-unknown-linux-musl/bin/codex"
                                .formatted(Npm.arch(), triple));
        return AgentScenes.of(CodexScenes.class, program.toString());
    }
}
