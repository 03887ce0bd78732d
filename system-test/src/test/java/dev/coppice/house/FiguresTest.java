package dev.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Pattern;

/** The README quotes only figures that a benchmark has written, so none can go stale. */
class FiguresTest {
    private static final Pattern QUOTED =
            Pattern.compile("([^|]*)\\(\\[bench]\\(bench/README\\.md\\)\\)");
    private static final Pattern AMOUNT = Pattern.compile("\\d[\\d,.]* ?(?:ms|s|MB|/s)\\b");
    private static final Pattern WRITTEN =
            Pattern.compile("(?s)<!-- Written by ./coppice bench\\. -->(.*)<!-- End of");

    @Test
    void figures_in_the_readme_are_those_of_the_benchmarks() throws IOException {
        var page = Files.readString(Sources.ROOT.resolve("bench/README.md"));
        var written = WRITTEN.matcher(page);
        assertThat(written.find()).isTrue();
        var quoted = QUOTED.matcher(Files.readString(Sources.ROOT.resolve("README.md")));
        int count = 0;
        while (quoted.find()) {
            var amounts = AMOUNT.matcher(quoted.group(1));
            while (amounts.find()) {
                count++;
                assertThat(written.group(1)).contains("| " + amounts.group() + " |");
            }
        }
        assertThat(count).as("quoted figures").isPositive();
    }
}
