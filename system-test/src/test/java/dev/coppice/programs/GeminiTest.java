package dev.coppice.programs;

import dev.coppice.scene.LongForm;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.util.stream.Stream;

/** Gemini from npm as an agent, with a scripted model and without a network. */
@LongForm
class GeminiTest {
    @TestFactory
    Stream<DynamicTest> scenes() {
        var npm = Npm.installed("agents");
        var script = npm.file("@google/gemini-cli/bundle/gemini.js");
        return AgentScenes.of(GeminiScenes.class, npm.node() + " " + script);
    }
}
