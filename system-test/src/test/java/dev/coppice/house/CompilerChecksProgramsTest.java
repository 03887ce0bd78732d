package dev.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Temporary;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** The checks of the compiler on all other modules. */
class CompilerChecksProgramsTest {
    @Test
    void they_pass() {
        assertThat(CompilerChecks.warnings(Sources.main(CompilerChecks.programs()))).isEmpty();
    }

    /** The first fault is of NullAway, the second one of Error Prone. */
    @Test
    void planted_faults_are_found() throws IOException {
        var file = Temporary.directory("coppice-planted").resolve("Planted.java");
        Files.writeString(
                file,
                """
                @org.jspecify.annotations.NullMarked
                final class Planted {
                    static String nothing() {
                        return null;
                    }

                    static boolean same(Long one, Long other) {
                        return one == other;
                    }
                }
                """);
        assertThat(CompilerChecks.warnings(List.of(file)))
                .contains("[NullAway]", "[BoxedPrimitiveEquality]");
    }
}
