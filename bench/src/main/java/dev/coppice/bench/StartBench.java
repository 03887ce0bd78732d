package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;
import dev.coppice.scene.Temporary;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Time until the coordinator is ready, and its memory at rest, against an idle JVM. */
final class StartBench {
    private static final double READY_MILLIS_MAX = 700;
    private static final double MEMORY_MB_MAX = 120;
    private static final int TRIES = 5;

    private StartBench() {}

    static void run(Verdicts verdicts) throws Exception {
        var ready = new ArrayList<Long>();
        var nothing = new ArrayList<Long>();
        double memory = 0;
        double bareMemory = 0;
        for (int i = 0; i < TRIES; i++) {
            var up = up();
            ready.add(up.nanos());
            memory = up.megabytes();
            var bare = idle();
            nothing.add(bare.nanos());
            bareMemory = bare.megabytes();
        }
        var ours = Load.of(ready, 1);
        var bare = Load.of(nothing, 1);
        Verdicts.note("an idle JVM: %.0f ms, %.0f MB", bare.p50Millis(), bareMemory);
        verdicts.atMost("start to ready", Amount.millis(ours.p50Millis()), READY_MILLIS_MAX);
        verdicts.atMost("memory at rest", Amount.megabytes(memory), MEMORY_MB_MAX);
    }

    private record Begun(long nanos, double megabytes) {}

    private static Begun up() throws IOException, InterruptedException {
        var data = Temporary.directory("coppice-bench-up");
        return begun(
                List.of("dev.coppice.cli.Main", "up", "--port", "0", "--data", data.toString()),
                "Coppice is up");
    }

    private static Begun idle() throws IOException, InterruptedException {
        return begun(List.of(Idle.class.getName()), "idle");
    }

    private static Begun begun(List<String> line, String ready)
            throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseG1GC",
                        "-Xmx1g",
                        "-cp",
                        System.getProperty("java.class.path")));
        command.addAll(line);
        long from = System.nanoTime();
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader reader = process.inputReader()) {
            var printed = reader.readLine();
            while (printed != null && !printed.contains(ready)) printed = reader.readLine();
            long took = System.nanoTime() - from;
            return new Begun(took, megabytes(process.pid()));
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    private static double megabytes(long pid) throws IOException {
        for (var line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
            if (line.startsWith("VmRSS:"))
                return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0;
        }
        return 0;
    }
}
