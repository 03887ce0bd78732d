package dev.coppice.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.wire.Problem;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scripts compare these. */
class ExitTest {
    private static Problem problem(int status, String code) {
        return new Problem("", "", status, code, "", null, "no", "", null, null);
    }

    @ParameterizedTest
    @CsvSource({
        "400, bad_value, 2",
        "400, field_unknown, 3",
        "401, token_missing, 3",
        "403, not_allowed, 3",
        "404, session_unknown, 5",
        "404, a_newer_code, 5",
        "410, session_removed, 5",
        "409, session_busy, 3",
        "429, too_often, 3",
        "500, '', 3"
    })
    void a_refusal_has_the_code_of_its_kind(int status, String code, int exit) {
        assertThat(Exit.of(problem(status, code)).code()).isEqualTo(exit);
    }

    @ParameterizedTest
    @CsvSource({
        "finished, 0",
        "failed, 1",
        "stopped, 6",
        "timed_out, 7",
        "lost, 8",
        "refused, 1",
        "newer, 1"
    })
    void the_end_of_a_run_has_a_code(String state, int exit) {
        assertThat(Exit.ofRun(state).code()).isEqualTo(exit);
    }
}
