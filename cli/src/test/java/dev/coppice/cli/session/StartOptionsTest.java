package dev.coppice.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.cli.engine.Args;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A name made of a prompt, and a budget in one word. */
class StartOptionsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Mend the login test           | mend-the-login-test",
                "~~  --~Übersicht: don't stop! | ubersicht-dont-stop",
                "one two three four five six   | one-two-three-four-five",
                "修理してください~fix it        | fix-it",
                "修理                          | ",
            })
    void a_name_is_made_of_the_first_words(String prompt, String name) {
        assertThat(Slug.of(prompt.replace('~', '\n'))).isEqualTo(name);
    }

    @Test
    void a_name_is_short_whatever_the_prompt_is() {
        assertThat(Slug.of("x".repeat(1_000_000))).hasSize(32);
        assertThat(Slug.of("\u0000".repeat(1_000_000))).isNull();
    }

    @Test
    void a_budget_is_dollars_or_several_amounts() {
        assertThat(Json.write(BudgetCommand.request("$2.50"))).contains("\"cost_usd\":2.50");
        assertThat(Json.write(BudgetCommand.request("tokens=5, wall=2h,policy=stop")))
                .contains("\"tokens\":5", "\"wall\":\"7200s\"", "\"policy\":\"stop\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "token=5", "tokens=x", "clear=true", "cost=2,", "wall=soon"})
    void an_invalid_budget_is_refused(String budget) {
        assertThatThrownBy(() -> BudgetCommand.request(budget)).isInstanceOf(Args.Invalid.class);
    }
}
