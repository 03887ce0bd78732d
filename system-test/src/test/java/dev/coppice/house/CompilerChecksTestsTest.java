package dev.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** All tests pass the checks of the compiler. */
class CompilerChecksTestsTest {
    @Test
    void tests_pass() {
        assertThat(CompilerChecks.warnings(Sources.tests())).isEmpty();
    }
}
