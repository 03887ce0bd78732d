package dev.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The checks of the compiler on the tests of the modules. */
class CompilerChecksModulesTest {
    @Test
    void they_pass() {
        assertThat(CompilerChecks.warnings(Sources.tests(CompilerChecks.withOwnTests()))).isEmpty();
    }
}
