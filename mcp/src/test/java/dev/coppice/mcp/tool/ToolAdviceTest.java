package dev.coppice.mcp.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.operation.Refusals;

import org.junit.jupiter.api.Test;

class ToolAdviceTest {
    /** A request, a field with its value, or an option of the command line. */
    private static final String OF_ANOTHER_FACE =
            ".*(\\b(GET|POST|PUT|PATCH|DELETE) /|\\w=\\w| --\\w|\\bcoppice \\w).*";

    @Test
    void no_advice_is_worded_for_another_face() {
        var advice = new ToolAdvice();
        assertThat(Refusals.all().stream().map(advice::of))
                .noneMatch(text -> text.matches(OF_ANOTHER_FACE));
    }
}
