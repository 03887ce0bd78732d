package dev.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Holds {@code docs/glossary.md} and the code together. */
class GlossaryTest {
    private static final Path ROOT = Path.of(System.getProperty("coppice.root", ".."));
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+)`");
    private static final Pattern PROSE =
            Pattern.compile(
                    "(?s)/\\*.*?\\*/|//[^\n]*|\"{3}.*?\"{3}"
                            + "|\"(?:[^\"\\\\]|\\\\.)*+\"|'(?:[^'\\\\]|\\\\.)'");
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z_0-9]*");

    private record Row(String word, String code, String not) {}

    private static List<Row> rows() throws IOException {
        return Files.readAllLines(ROOT.resolve("docs/glossary.md")).stream()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| word |"))
                .map(line -> line.split("\\|", -1))
                .map(cells -> new Row(cells[1].strip(), cells[3].strip(), cells[4].strip()))
                .toList();
    }

    private static Set<String> files(String ending) throws IOException {
        try (var files = Files.walk(ROOT)) {
            return files.filter(f -> f.toString().endsWith(ending))
                    .filter(f -> f.toString().contains("/src/"))
                    .map(Path::toString)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void every_class_of_the_glossary_exists() throws IOException {
        var classes = new TreeSet<String>();
        for (var file : files(".java")) {
            classes.add(file.substring(file.lastIndexOf('/') + 1, file.length() - 5));
        }
        for (var row : rows()) {
            var named = NAME.matcher(row.code()).results().map(m -> m.group(1)).toList();
            assertThat(named).as(row.word()).isNotEmpty().isSubsetOf(classes);
        }
    }

    @Test
    void no_name_uses_a_word_that_the_glossary_replaces() throws IOException {
        var replaced =
                rows().stream()
                        .flatMap(row -> List.of(row.not().split(", ", -1)).stream())
                        .filter(word -> !word.isBlank() && !word.contains(" "))
                        .collect(Collectors.toSet());
        assertThat(replaced).contains("errand", "kept");
        var found = new ArrayList<String>();
        for (var file : files(".java")) {
            if (!file.contains("/src/main/")) continue;
            var names = IDENTIFIER.matcher(code(Files.readString(Path.of(file))));
            while (names.find()) {
                for (var part : names.group().split("_|(?<=[a-z0-9])(?=[A-Z])", -1)) {
                    if (replaced.contains(part.toLowerCase(Locale.ROOT))) {
                        found.add("%s: %s".formatted(file, names.group()));
                    }
                }
            }
        }
        assertThat(found).isEmpty();
    }

    /** Returns the source without comments, text blocks and strings. */
    private static String code(String source) {
        return PROSE.matcher(source).replaceAll("");
    }
}
