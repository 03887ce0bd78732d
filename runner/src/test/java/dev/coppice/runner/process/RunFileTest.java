package dev.coppice.runner.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Programs may replace the files of their run. */
class RunFileTest {
    @TempDir private Path temp = Path.of("");

    @Test
    void a_part_ends_with_the_file() throws IOException {
        var file = Files.writeString(temp.resolve("stdout"), "one two three");
        try (var opened = RunFile.open(file)) {
            assertThat(opened.bytes(4, 3)).asString().isEqualTo("two");
            assertThat(opened.bytes(8, 100)).asString().isEqualTo("three");
            assertThat(opened.bytes(99, 100)).isEmpty();
            assertThat(opened.cut(3)).isEqualTo(3);
        }
        assertThat(RunFile.text(file)).isEqualTo("one");
    }

    @Test
    void a_pipe_that_nobody_writes_to_does_not_block() throws Exception {
        var pipe = temp.resolve("stdout");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        assertThat(RunFile.text(pipe)).isEmpty();
        try (var opened = RunFile.open(pipe)) {
            assertThat(opened.cut(0)).isZero();
        }
    }

    @Test
    void a_link_is_not_followed() throws IOException {
        var secret = Files.writeString(temp.resolve("secret"), "x");
        var link = Files.createSymbolicLink(temp.resolve("stdout"), secret);
        assertThatThrownBy(() -> RunFile.text(link)).isInstanceOf(IOException.class);
    }
}
