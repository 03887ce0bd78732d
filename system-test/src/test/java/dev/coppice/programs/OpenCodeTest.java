package dev.coppice.programs;

import dev.coppice.scene.LongForm;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.nio.file.Files;
import java.util.stream.Stream;

/** OpenCode from npm as an agent, with a scripted model and without a network. */
@LongForm
class OpenCodeTest {
    @TestFactory
    Stream<DynamicTest> scenes() {
        var npm = Npm.installed("agents");
        var program = npm.file("opencode-linux-%s/bin/opencode".formatted(Npm.arch()));
        if (!Files.exists(program)) Npm.unavailable("OpenCode is pinned for x64 alone");
        return AgentScenes.of(OpenCodeScenes.class, program.toString());
    }
}
