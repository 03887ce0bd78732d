package dev.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The checks of the compiler on the server and the modules of faces. */
class CompilerChecksFacesTest {
    @Test
    void they_pass() {
        assertThat(CompilerChecks.warnings(Sources.main(CompilerChecks.FACES))).isEmpty();
    }
}
