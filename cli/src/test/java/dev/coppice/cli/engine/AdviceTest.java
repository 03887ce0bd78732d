package dev.coppice.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.Refusal;
import dev.coppice.request.Refusals;
import dev.coppice.request.Wording;
import dev.coppice.web.Problems;

import org.junit.jupiter.api.Test;

class AdviceTest {
    /** A request, or the name of a field. */
    private static final String OF_ANOTHER_FACE =
            ".*(\\b(GET|POST|PUT|PATCH|DELETE) /|\\w=\\w|\\b[a-z]+_[a-z]|'(confirm|reason)').*";

    @Test
    void no_advice_is_worded_for_another_face() {
        assertThat(Refusals.all().stream().map(AdviceTest::advice))
                .noneMatch(text -> text.matches(OF_ANOTHER_FACE));
    }

    private static String advice(Refusal refusal) {
        return Problems.problem(refusal, Wording.REST).commandAdvice();
    }
}
