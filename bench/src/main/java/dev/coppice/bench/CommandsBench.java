package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;
import dev.coppice.scene.Temporary;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the processor and wall time of commands, from the checkout and from an archive, beside
 * {@code java -version}, and the archive's size and memory at rest.
 */
final class CommandsBench {
    private static final int TIMES = 10;
    private static final double PROCESSOR_MILLIS_MAX = 200;
    private static final double WALL_RATIO_MAX = 2;
    private static final double ARCHIVE_MB_MAX = 60;
    private static final Duration REST = Duration.ofSeconds(15);

    /** Runs a command as often as told; an argument with % has the number in its place. */
    private static final String LOOP =
            """
            TIMEFORMAT='%R %U %S'
            times=$1 base=$2
            shift 2
            time for ((i = 0; i < times; i++)); do
              "${@//%/$base$i}" >/dev/null 2>&1 || echo "failed: $*" >&2
            done
            """;

    private static final Map<String, List<String>> COMMANDS = new LinkedHashMap<>();

    static {
        COMMANDS.put("list", List.of("list"));
        COMMANDS.put("show", List.of("show", "plan"));
        COMMANDS.put("tree", List.of("tree"));
        COMMANDS.put("events", List.of("events", "plan"));
        var start = List.of("start", "n%", "--agent", "scripted", "--mode", "async_poll");
        var words = new ArrayList<>(start);
        words.addAll(List.of("-p", "say hi"));
        COMMANDS.put("start", words);
    }

    /** One archive serves all rounds. */
    private static boolean isMade;

    private CommandsBench() {}

    static void run(Verdicts verdicts) throws Exception {
        var archive = archive();
        StartBench.makeCache();
        var checkout = Path.of("coppice").toAbsolutePath();
        measure("checkout", checkout, verdicts);
        measure("archive", archive.home().resolve("bin/coppice"), verdicts);
        double size = Files.size(archive.file()) / (1024.0 * 1024);
        verdicts.atMost("size of the archive", Amount.megabytes(size), ARCHIVE_MB_MAX);
        var data = Temporary.directory("coppice-bench-rest");
        try (var up = StartBench.up(archive.home().resolve("bin/coppice").toString(), data)) {
            Load.rest(REST);
            verdicts.atMost(
                    "archive: memory at rest",
                    Amount.megabytes(up.megabytes()),
                    StartBench.MEMORY_MB_MAX);
        }
    }

    private record Archive(Path home, Path file) {}

    private static Archive archive() throws IOException {
        var place = Path.of("target/dist");
        var made = isMade ? "" : finished(List.of("./coppice", "dist"), Map.of());
        isMade = true;
        if (!Files.isDirectory(place)) throw new IllegalStateException(made);
        try (var all = Files.list(place)) {
            var files = all.map(Path::toAbsolutePath).toList();
            var home = files.stream().filter(Files::isDirectory).findFirst().orElseThrow();
            var name = home.getFileName() + ".tar.gz";
            return new Archive(home, home.resolveSibling(name));
        }
    }

    private static void measure(String from, Path program, Verdicts verdicts) throws Exception {
        var data = Temporary.directory("coppice-bench-commands");
        try (var _ = StartBench.up(program.toString(), data)) {
            var settings = Map.of("COPPICE_DATA", data.toString());
            for (int i = 0; i < TIMES; i++) {
                var name = i == 0 ? "plan" : "plan" + i;
                var line = List.of("start", name, "--agent", "scripted", "-p", "say hello");
                finished(with(program, line), settings);
            }
            for (var command : COMMANDS.entrySet()) {
                // The first one may build the product, or find its caches outdated.
                finished(loop(1, "w", with(program, command.getValue())), settings);
                var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
                var bare = timed(loop(TIMES, "b", List.of(java, "-version")), Map.of());
                var ours = timed(loop(TIMES, "n", with(program, command.getValue())), settings);
                var what = from + ": " + command.getKey();
                verdicts.atMost(
                        what + ", processor time",
                        Amount.millis(ours.processor()),
                        PROCESSOR_MILLIS_MAX);
                verdicts.atMost(
                        what + ", wall time; against java -version",
                        Amount.millis(ours.wall()),
                        Amount.millis(bare.wall()),
                        WALL_RATIO_MAX);
                Verdicts.note("java -version: %.0f ms of processor time", bare.processor());
            }
        }
    }

    private static List<String> with(Path program, List<String> line) {
        var words = new ArrayList<>(List.of(program.toString()));
        words.addAll(line);
        return words;
    }

    private static List<String> loop(int times, String base, List<String> line) {
        var words = new ArrayList<>(List.of("bash", "-c", LOOP, "bash", "" + times, base));
        words.addAll(line);
        return words;
    }

    /** The milliseconds of one command. */
    private record Cost(double wall, double processor) {}

    private static Cost timed(List<String> line, Map<String, String> settings) throws IOException {
        var said = finished(line, settings).strip();
        var words = said.split(" ", -1);
        if (words.length != 3) throw new IllegalStateException(said);
        var seconds = new double[3];
        for (int i = 0; i < 3; i++) seconds[i] = Double.parseDouble(words[i]);
        return new Cost(seconds[0] * 1000 / TIMES, (seconds[1] + seconds[2]) * 1000 / TIMES);
    }

    private static String finished(List<String> line, Map<String, String> settings)
            throws IOException {
        var builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("COPPICE_"));
        builder.environment().putAll(settings);
        var process = builder.start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = process.onExit().join().exitValue();
        if (exit != 0) throw new IllegalStateException(line + " exited with " + exit + ": " + said);
        return said;
    }
}
