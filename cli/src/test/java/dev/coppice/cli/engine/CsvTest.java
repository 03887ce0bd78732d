package dev.coppice.cli.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

class CsvTest {
    @Test
    void values_are_quoted_only_where_they_must_be() {
        assertThat(Csv.line(List.of("a", "b c", "", "'x'"))).isEqualTo("a,b c,,'x'\r\n");
    }

    @Test
    void a_separator_a_quote_or_a_line_end_is_quoted() {
        assertThat(Csv.line(List.of("a,b", "say \"hi\"", "two\nlines", "old\rmac")))
                .isEqualTo("\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\"old\rmac\"\r\n");
    }
}
