package dev.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The checks of the compiler on the modules below the server. */
class CompilerChecksRulesTest {
    @Test
    void they_pass() {
        assertThat(CompilerChecks.warnings(Sources.main(CompilerChecks.RULES))).isEmpty();
    }
}
