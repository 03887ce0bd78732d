package dev.coppice.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Tokens stay off the screen, and in files that only their owner reads. */
class SecretsTest {
    @TempDir Path temp;

    @ParameterizedTest
    @CsvSource({
        "\"Bearer issued.a-b_1.c2-D\", \"Bearer …\"",
        "issued.a.b and issued.c.d, … and …",
        "issued by me, issued by me",
        "issued.a, issued.a"
    })
    void a_token_in_a_line_is_hidden(String line, String shown) {
        assertThat(Secrets.hidden(line)).isEqualTo(shown);
        assertThat(Secrets.isIn(line)).isEqualTo(!line.equals(shown));
    }

    @Test
    void a_file_with_a_token_is_for_its_owner_also_if_it_was_there() throws IOException {
        var file = temp.resolve("a/b/hook.sh");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "old and longer than the new one");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        SecretFile.write(file, "new");
        assertThat(file).hasContent("new");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void the_script_of_hooks_holds_the_token_and_its_path_survives_a_shell() throws IOException {
        var script = new HookScript(temp.resolve("it's here/hook.sh"));
        script.write("issued.a.b");
        assertThat(Files.readString(script.file()))
                .contains("Authorization: Bearer issued.a.b\n")
                .contains("X-Agent-Token: $COPPICE_TOKEN\n");
        assertThat(script.command()).isEqualTo("sh '" + temp + "/it'\\''s here/hook.sh'");
    }
}
