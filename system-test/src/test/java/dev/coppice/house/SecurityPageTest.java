package dev.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Holds {@code docs/security.md} and the tests together: a list names the tests of each sentence of
 * the page, or says why it has none.
 */
class SecurityPageTest {
    private static final Path PAGE = Sources.ROOT.resolve("docs/security.md");
    private static final Path LIST =
            Sources.ROOT.resolve("system-test/src/test/resources/dev/coppice/house/security.txt");
    private static final Pattern END = Pattern.compile("(?<=\\.) (?=\\S)|; ");
    private static final Pattern CLASS = Pattern.compile("`(\\w+Test)`");

    /** Claims that no test proves. This number only falls. */
    private static final int UNTESTED_MAX = 3;

    /** A sentence, and the cell with the test classes of its row; empty outside of a table. */
    private record Sentence(String text, String cell) {}

    /** The beginning of a sentence, and the lines below it. */
    private record Proof(String start, List<String> lines) {
        List<String> tests() {
            return lines.stream().filter(line -> !line.startsWith("-")).toList();
        }
    }

    private final List<Sentence> sentences = sentences();
    private final List<Proof> proofs = proofs();

    private static List<Sentence> sentences() {
        var found = new ArrayList<Sentence>();
        var block = new ArrayList<String>();
        var page = Sources.text(PAGE).replaceAll("(?s)```.*?```", "") + "\n\n";
        for (var line : page.lines().toList()) {
            boolean isText = !line.isBlank() && !line.startsWith("#") && !line.startsWith("|");
            if (!isText || line.startsWith("- ")) {
                split(String.join(" ", block), "", found);
                block.clear();
            }
            if (isText) block.add(line.replaceFirst("^- ", "").strip());
            if (line.startsWith("| ") && !line.startsWith("| threat |")) {
                var cells = line.split("\\|", -1);
                split(cells[2].strip(), cells[3].strip(), found);
            }
        }
        return List.copyOf(found);
    }

    private static void split(String text, String cell, List<Sentence> found) {
        for (var part : END.split(text, -1)) {
            if (!part.isBlank()) found.add(new Sentence(part.strip(), cell));
        }
    }

    private static List<Proof> proofs() {
        var found = new ArrayList<Proof>();
        for (var line : Sources.text(LIST).lines().toList()) {
            if (line.isBlank() || line.startsWith("#")) continue;
            if (line.startsWith(" ")) found.getLast().lines().add(line.strip());
            else found.add(new Proof(line, new ArrayList<>()));
        }
        return List.copyOf(found);
    }

    private List<Proof> of(Sentence sentence) {
        return proofs.stream().filter(p -> sentence.text().startsWith(p.start())).toList();
    }

    private static String classOf(String test) {
        return test.substring(0, test.indexOf('.'));
    }

    @Test
    void every_sentence_has_its_tests() {
        var faults = new ArrayList<String>();
        for (var sentence : sentences) {
            var of = of(sentence);
            if (of.size() != 1) {
                faults.add("%d lines for: %s".formatted(of.size(), sentence.text()));
            }
        }
        for (var proof : proofs) {
            long begun = sentences.stream().filter(s -> s.text().startsWith(proof.start())).count();
            if (begun != 1) faults.add("%d sentences for: %s".formatted(begun, proof.start()));
            if (proof.lines().isEmpty()) faults.add("no test and no reason: " + proof.start());
        }
        assertThat(faults).as("add the tests of a sentence to " + LIST).isEmpty();
    }

    @Test
    void every_test_of_the_list_exists() {
        var sources =
                Sources.tests().stream()
                        .collect(
                                Collectors.toMap(
                                        SecurityPageTest::className,
                                        Sources::text,
                                        (one, other) -> one + other));
        var missing =
                proofs.stream()
                        .flatMap(proof -> proof.tests().stream())
                        .filter(test -> !isTest(test, sources))
                        .toList();
        assertThat(missing).isEmpty();
    }

    private static String className(Path file) {
        var name = String.valueOf(file.getFileName());
        return name.substring(0, name.length() - ".java".length());
    }

    private static boolean isTest(String test, Map<String, String> sources) {
        var source = sources.getOrDefault(classOf(test), "");
        var method = test.substring(test.indexOf('.') + 1);
        var found =
                Pattern.compile("(?m)^    (?:void|Stream<DynamicTest>) " + method + "\\(")
                        .matcher(source);
        if (!found.find()) return false;
        int before = source.lastIndexOf("\n    }\n", found.start());
        var above = source.substring(Math.max(0, before), found.start());
        return above.contains("@Test") || above.contains("@ParameterizedTest");
    }

    @Test
    void the_page_names_the_classes_of_its_tests() {
        var byCell = new LinkedHashMap<String, Set<String>>();
        for (var sentence : sentences) {
            if (sentence.cell().isEmpty()) continue;
            var classes = byCell.computeIfAbsent(sentence.cell(), _ -> new TreeSet<>());
            for (var proof : of(sentence)) {
                proof.tests().forEach(test -> classes.add(classOf(test)));
            }
        }
        byCell.forEach((cell, classes) -> {
            var named = CLASS.matcher(cell).results().map(m -> m.group(1)).toList();
            assertThat(named).as(cell).containsExactlyInAnyOrderElementsOf(classes);
        });
    }

    @Test
    void sentences_without_a_test_become_fewer() {
        var untested =
                proofs.stream()
                        .flatMap(proof -> proof.lines().stream())
                        .filter(line -> line.startsWith("- untested"))
                        .toList();
        assertThat(untested).hasSizeLessThanOrEqualTo(UNTESTED_MAX);
    }
}
