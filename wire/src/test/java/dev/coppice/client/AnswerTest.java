package dev.coppice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

/** An answer, of a coordinator or of what stands before it. */
class AnswerTest {
    private record Thing(String name) {}

    private static final String PROBLEM =
            """
            {"type":"about:blank","title":"t","status":404,"code":"session_unknown","kind":"k",
             "detail":null,"error":"there is no session 'x'","advice":"list them"}
            """;

    private static Answer<Thing> answer(int status, String body) {
        return Answer.of(status, body.getBytes(StandardCharsets.UTF_8), Thing.class);
    }

    @ParameterizedTest
    @CsvSource({"200, true", "201, true", "204, true", "299, true", "301, false", "404, false"})
    void an_answer_below_300_is_good(int status, boolean isGood) {
        assertThat(answer(status, "{\"name\":\"x\"}").isGood()).isEqualTo(isGood);
    }

    @Test
    void a_good_answer_has_a_value() {
        assertThat(answer(200, "{\"name\":\"x\"}").value()).isEqualTo(new Thing("x"));
    }

    @Test
    void a_refusal_has_no_value_but_a_problem() {
        var refused = answer(404, PROBLEM);
        assertThatThrownBy(refused::value)
                .isInstanceOf(Refused.class)
                .hasMessage("there is no session 'x'");
        assertThat(refused.says("session_unknown")).isTrue();
        assertThat(refused.advice()).isEqualTo("list them");
    }

    @Test
    void a_problem_may_have_no_advice() {
        var problem = answer(404, PROBLEM.replace("list them", "")).problem();
        assertThat(problem.code()).isEqualTo("session_unknown");
        assertThat(problem.advice()).isEmpty();
    }

    /** A proxy, or another program on the port, answers in its own way. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "\"Not Found\"",
                "null",
                "{\"error\":{\"code\":5,\"message\":\"no\"}}",
                "{\"status\":\"four\"}",
                "{\"error\":\"\"}"
            })
    void an_error_that_is_no_problem_is_told_by_its_status(String body) {
        var problem = answer(404, body).problem();
        assertThat(problem.error()).isEqualTo("the coordinator answered 404");
        assertThat(problem.status()).isEqualTo(404);
        assertThat(problem.code()).isEmpty();
        assertThat(problem.advice()).isEmpty();
    }

    @Test
    void an_error_of_another_program_has_no_code_and_no_advice() {
        var problem = answer(502, "{\"error\":\"bad gateway\"}").problem();
        assertThat(problem.error()).isEqualTo("bad gateway");
        assertThat(problem.status()).isEqualTo(502);
        assertThat(problem.code()).isEmpty();
        assertThat(problem.advice()).isEmpty();
    }
}
