package dev.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files that a guide lists exist: {@code core/…/ask/Asks.java} is one file of that module. */
class GuidesTest {
    private static final Pattern LISTED = Pattern.compile("`([a-z-]+)/…/([^`]+)`");
    private static final Path GUIDES = Sources.ROOT.resolve("docs/how-to");

    @Test
    void each_file_that_a_guide_lists_is_one_file() throws IOException {
        var found = new ArrayList<String>();
        int listed = 0;
        for (var guide : files(GUIDES)) {
            var paths = LISTED.matcher(Files.readString(guide));
            while (paths.find()) {
                listed++;
                var end = "/" + paths.group(2);
                long count =
                        files(Sources.ROOT.resolve(paths.group(1)).resolve("src")).stream()
                                .filter(file -> file.toString().endsWith(end))
                                .count();
                if (count != 1) {
                    found.add(
                            "%s: %s is %d files"
                                    .formatted(guide.getFileName(), paths.group(), count));
                }
            }
        }
        assertThat(found).isEmpty();
        assertThat(listed).as("listed files").isPositive();
    }

    private static List<Path> files(Path under) throws IOException {
        try (Stream<Path> walk = Files.walk(under)) {
            return walk.filter(Files::isRegularFile).toList();
        }
    }
}
