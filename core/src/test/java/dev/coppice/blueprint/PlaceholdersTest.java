package dev.coppice.blueprint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.Optional;

class PlaceholdersTest {
    private static String resolved(String text, Map<String, String> values) {
        return Placeholders.resolved(text, name -> Optional.ofNullable(values.get(name)));
    }

    @Test
    void each_placeholder_is_replaced_by_its_value() {
        assertThat(resolved("${params.a}-${env.B}", Map.of("params.a", "1", "env.B", "2")))
                .isEqualTo("1-2");
    }

    @Test
    void a_doubled_dollar_escapes_a_placeholder() {
        assertThat(resolved("$${HOME} $$ $HOME", Map.of("HOME", "x")))
                .isEqualTo("${HOME} $$ $HOME");
        assertThat(Placeholders.in("$${HOME} ${params.a}")).containsExactly("params.a");
    }

    @Test
    void placeholders_in_values_are_not_resolved() {
        assertThat(resolved("${params.a}", Map.of("params.a", "${env.SECRET}", "env.SECRET", "s")))
                .isEqualTo("${env.SECRET}");
    }

    @Test
    void backslashes_and_dollars_in_values_are_preserved() {
        assertThat(resolved("${params.a}", Map.of("params.a", "C:\\x $1 \\")))
                .isEqualTo("C:\\x $1 \\");
    }
}
