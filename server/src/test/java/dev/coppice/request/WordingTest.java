package dev.coppice.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.Refusal;
import dev.coppice.wire.Code;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.Stream;

/** The table of refusals, read for one refusal of each type. */
class WordingTest {
    /** A request, a field with its value, or an option of the command line. */
    private static final String OF_ANOTHER_FACE =
            ".*(\\b(GET|POST|PUT|PATCH|DELETE) /|\\w=\\w| --\\w|\\bcoppice \\w).*";

    private static final List<Refusal> ALL = Refusals.all();

    @Test
    void every_refusal_has_a_row() {
        assertThat(ALL).allSatisfy(r -> assertThat(Code.of(r.code())).as(r.code()).isPresent());
    }

    @Test
    void every_refusal_has_advice_on_each_face_whose_places_are_all_filled() {
        for (var wording : Wording.values()) {
            assertThat(ALL)
                    .allSatisfy(r ->
                            assertThat(wording.advice(r))
                                    .endsWith(".")
                                    .doesNotContainPattern("(?<!\\$)\\{"));
        }
    }

    @Test
    void no_advice_for_tools_is_worded_for_another_face() {
        assertThat(ALL.stream().map(Wording.MCP::advice))
                .noneMatch(text -> text.matches(OF_ANOTHER_FACE));
    }

    /** The samples are the word {@code sample}, ids among them. */
    @Test
    void sentences_have_the_names_of_sessions_and_runs_in_quotes() {
        assertThat(ALL.stream().map(Refusal::said).flatMap(WordingTest::namesNotQuoted)).isEmpty();
    }

    private static Stream<String> namesNotQuoted(String said) {
        return said.matches(".*(ession|[Rr]un|[Rr]unner|Removal|Agent|Callback) sample\\b.*")
                ? Stream.of(said)
                : Stream.empty();
    }
}
