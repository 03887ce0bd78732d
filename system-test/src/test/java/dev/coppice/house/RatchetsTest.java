package dev.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Measures of the whole house that only fall. One file holds today's values; {@code
 * -Dcoppice.rewrite=true} writes lower ones. A change that raises a value edits the file and gives
 * the reason in its commit.
 */
class RatchetsTest {
    private static final Path FILE =
            Sources.ROOT.resolve(
                    "system-test/src/test/resources/dev/coppice/house/ratchets.properties");

    /** Small changes need no new value. */
    private static final int HUNDRED = 100;

    private static final List<JavaClass> TOP =
            ArchitectureTest.MAIN.stream()
                    .filter(c -> !c.isNestedClass() && !c.getSimpleName().equals("package-info"))
                    .toList();

    @Test
    void no_measure_rises_and_what_falls_is_written_down() throws IOException {
        var measured = measured();
        var written = written();
        if (Boolean.getBoolean("coppice.rewrite")) write(measured, written);
        var now = written();
        assertThat(now.keySet()).isEqualTo(measured.keySet());
        var found = new TreeMap<String, String>();
        measured.forEach((name, value) -> {
            long max = now.getOrDefault(name, 0L);
            if (value > max) found.put(name, "%d, of at most %d".formatted(value, max));
        });
        assertThat(found).as(String.join("\n", rings())).isEmpty();
    }

    private static Map<String, Long> measured() {
        var measured = new LinkedHashMap<String, Long>();
        measured.put("rings.of.files", (long) ringsOfFiles().size());
        measured.put("rings.of.packages", (long) ringsOfPackages().size());
        measured.put("public.types.percent", publicTypes());
        measured.put("names.that.stand.twice", twins());
        measured.put("lines.of.server", inHundreds(lines("server/")));
        measured.put("lines.of.product", inHundreds(lines("") - lines("bench/") - lines("dist/")));
        return measured;
    }

    private static Map<String, Long> written() throws IOException {
        var written = new LinkedHashMap<String, Long>();
        for (var line : Files.readAllLines(FILE)) {
            if (line.isBlank() || line.startsWith("#")) continue;
            var parts = line.split(" = ", 2);
            written.put(parts[0], Long.parseLong(parts[1].strip()));
        }
        return written;
    }

    private static void write(Map<String, Long> measured, Map<String, Long> written)
            throws IOException {
        var head = Files.readAllLines(FILE).stream().takeWhile(line -> line.startsWith("#"));
        var text = new StringBuilder(head.map(line -> line + "\n").collect(Collectors.joining()));
        measured.forEach((name, value) ->
                text.append(
                        "%s = %d\n"
                                .formatted(
                                        name, Math.min(value, written.getOrDefault(name, value)))));
        Files.writeString(FILE, text);
    }

    private static long publicTypes() {
        long all = TOP.size();
        long open =
                TOP.stream().filter(c -> c.getModifiers().contains(JavaModifier.PUBLIC)).count();
        return open * 100 / all;
    }

    private static long twins() {
        return TOP.stream()
                .collect(Collectors.groupingBy(JavaClass::getSimpleName, Collectors.counting()))
                .values()
                .stream()
                .filter(count -> count > 1)
                .count();
    }

    private static long lines(String start) {
        return Sources.main().stream()
                .filter(file -> Sources.name(file).startsWith(start))
                .mapToLong(file -> Sources.text(file).lines().count())
                .sum();
    }

    private static long inHundreds(long lines) {
        return (lines + HUNDRED - 1) / HUNDRED * HUNDRED;
    }

    /** The members of each ring, for the message of a failure. */
    private static List<String> rings() {
        var all = new TreeSet<String>();
        ringsOfFiles().forEach(ring -> all.add("files: " + ring));
        ringsOfPackages().forEach(ring -> all.add("packages: " + ring));
        return List.copyOf(all);
    }

    /** Files of one package that need each other in a circle, which are one file to a reader. */
    private static List<Set<String>> ringsOfFiles() {
        return rings(JavaClass::getName, Edges.WITHIN_PACKAGES);
    }

    private static List<Set<String>> ringsOfPackages() {
        return rings(JavaClass::getPackageName, Edges.BETWEEN_PACKAGES);
    }

    private enum Edges {
        WITHIN_PACKAGES,
        BETWEEN_PACKAGES
    }

    private static List<Set<String>> rings(Function<JavaClass, String> node, Edges which) {
        var edges = new HashMap<String, Set<String>>();
        for (var type : ArchitectureTest.MAIN) {
            var from = top(type);
            for (var dependency : type.getDirectDependenciesFromSelf()) {
                var to = top(dependency.getTargetClass().getBaseComponentType());
                boolean isOurs = to.getPackageName().startsWith("dev.coppice");
                boolean isInside = to.getPackageName().equals(from.getPackageName());
                if (!isOurs || isInside != (which == Edges.WITHIN_PACKAGES)) continue;
                edges.computeIfAbsent(node.apply(from), _ -> new TreeSet<>()).add(node.apply(to));
            }
        }
        return new Rings(edges).found();
    }

    private static JavaClass top(JavaClass type) {
        var top = type;
        while (top.getEnclosingClass().isPresent()) top = top.getEnclosingClass().get();
        return top;
    }

    /** Finds the strongly connected parts of a graph, by Tarjan's algorithm. */
    private static final class Rings {
        private final Map<String, Set<String>> edges;
        private final Map<String, Integer> index = new HashMap<>();
        private final LinkedHashSet<String> open = new LinkedHashSet<>();
        private final List<Set<String>> found = new ArrayList<>();

        private Rings(Map<String, Set<String>> edges) {
            this.edges = edges;
        }

        private List<Set<String>> found() {
            for (var node : new TreeSet<>(edges.keySet())) {
                if (!index.containsKey(node)) visit(node);
            }
            return found;
        }

        private int visit(String node) {
            int own = index.size();
            index.put(node, own);
            open.addLast(node);
            int lowest = own;
            for (var next : edges.getOrDefault(node, Set.of())) {
                if (!index.containsKey(next)) lowest = Math.min(lowest, visit(next));
                else if (open.contains(next))
                    lowest = Math.min(lowest, index.getOrDefault(next, own));
            }
            if (lowest == own) close(node);
            return lowest;
        }

        private void close(String node) {
            var ring = new TreeSet<String>();
            var last = open.removeLast();
            while (!last.equals(node)) {
                ring.add(last);
                last = open.removeLast();
            }
            ring.add(node);
            if (ring.size() > 1) found.add(ring);
        }
    }
}
