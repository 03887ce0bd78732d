package dev.coppice.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The part of {@code bench/README.md} that the benchmarks write: for each its figures, with the
 * day, the commit and the machine. Figures of another commit than the newest are marked.
 */
final class Page {
    private static final String BEGIN = "<!-- Written by ./coppice bench. -->\n";
    private static final String END = "<!-- End of what ./coppice bench writes. -->\n";
    private static final String OTHER = " (not the newest measured)";
    private static final Pattern PART = Pattern.compile("(?ms)^### (\\w+)\n(.*?)(?=^### |\\z)");
    private static final Pattern COMMIT = Pattern.compile("commit (\\w+\\+?)( \\([^)]*\\))?");

    private final Path file;
    private final List<String> order;

    Page(Path file, List<String> order) {
        this.file = file;
        this.order = List.copyOf(order);
    }

    /** Replaces the figures of one benchmark. */
    void write(String bench, Verdicts verdicts) throws IOException, InterruptedException {
        var text = Files.readString(file);
        int from = text.indexOf(BEGIN) + BEGIN.length();
        int to = text.indexOf(END);
        if (from < BEGIN.length() || to < from) {
            throw new IllegalStateException(file + " has no place for the figures");
        }
        var commit = commit();
        var parts = parts(text.substring(from, to), commit);
        parts.put(bench, "\n%s%n%n%s%n".formatted(origin(commit), verdicts.table()));
        var figures = new StringBuilder("\n");
        for (var name : order) {
            var part = parts.get(name);
            if (part != null) figures.append("### ").append(name).append('\n').append(part);
        }
        Files.writeString(file, text.substring(0, from) + figures + text.substring(to));
        System.out.println("  wrote the figures into " + file);
    }

    private static Map<String, String> parts(String figures, String newest) {
        var parts = new LinkedHashMap<String, String>();
        var found = PART.matcher(figures);
        while (found.find()) {
            var marked =
                    COMMIT.matcher(found.group(2))
                            .replaceFirst(m ->
                                    "commit "
                                            + m.group(1)
                                            + (m.group(1).equals(newest) ? "" : OTHER));
            parts.put(found.group(1), marked);
        }
        return parts;
    }

    private static String origin(String commit) throws IOException {
        return "%s, commit %s, %s, JDK %s"
                .formatted(
                        LocalDate.now(java.time.ZoneOffset.UTC),
                        commit,
                        Yardstick.machine(),
                        System.getProperty("java.version"));
    }

    /** The commit that is checked out; with a plus if something has been changed since. */
    private static String commit() throws IOException, InterruptedException {
        var changed = git("status", "--porcelain", "--", ".", ":!bench/README.md");
        return git("rev-parse", "--short=7", "HEAD") + (changed.isEmpty() ? "" : "+");
    }

    private static String git(String... words) throws IOException, InterruptedException {
        var line = new java.util.ArrayList<>(List.of("git"));
        line.addAll(List.of(words));
        var process =
                new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (var out = process.getInputStream()) {
            var said = new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? said : "unknown";
        }
    }

    /**
     * Describes the machine, so that figures in milliseconds of different machines can be compared.
     */
    private static final class Yardstick {
        private static final int NUMBERS = 1_000_000;
        private static final int TRIES = 20;

        private Yardstick() {}

        static String machine() throws IOException {
            var model =
                    Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                            .filter(line -> line.startsWith("model name"))
                            .map(line -> line.substring(line.indexOf(':') + 1).strip())
                            .findFirst()
                            .orElse(System.getProperty("os.arch"));
            return "%d cores of %s that sort a million numbers in %d ms"
                    .formatted(Runtime.getRuntime().availableProcessors(), model, sortMillis());
        }

        /** Returns the shortest time of many, which other programs disturb least. */
        private static long sortMillis() {
            var numbers = new Random(1).ints(NUMBERS).toArray();
            long nanos =
                    IntStream.range(0, TRIES)
                            .mapToLong(_ -> sortNanos(numbers.clone()))
                            .min()
                            .orElseThrow();
            return Math.round(nanos / 1e6);
        }

        private static long sortNanos(int[] numbers) {
            long from = System.nanoTime();
            Arrays.sort(numbers);
            return System.nanoTime() - from;
        }
    }
}
