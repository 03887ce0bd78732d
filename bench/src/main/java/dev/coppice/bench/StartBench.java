package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;
import dev.coppice.scene.Temporary;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Time until 'up' is ready, by the launcher and from its class cache, and its memory at rest. */
final class StartBench {
    private static final double READY_MILLIS_MAX = 700;
    static final double MEMORY_MB_MAX = 120;
    private static final int TRIES = 5;

    /** Longer than the interval after which the JVM gives memory back. */
    private static final Duration REST = Duration.ofSeconds(15);

    private static final Duration CACHE_MAX = Duration.ofMinutes(2);

    private StartBench() {}

    static void run(Verdicts verdicts) throws Exception {
        makeCache();
        var ready = new ArrayList<Long>();
        var nothing = new ArrayList<Long>();
        for (int i = 0; i < TRIES; i++) {
            try (var up = up()) {
                ready.add(up.nanos);
            }
            try (var bare = idle()) {
                nothing.add(bare.nanos);
            }
        }
        Verdicts.note("an idle JVM: %.0f ms", Load.of(nothing, 1).p50Millis());
        var ours = Load.of(ready, 1);
        verdicts.atMost("start to ready", Amount.millis(ours.p50Millis()), READY_MILLIS_MAX);
        try (var up = up()) {
            Load.rest(REST);
            verdicts.atMost("memory at rest", Amount.megabytes(up.megabytes()), MEMORY_MB_MAX);
        }
    }

    /** The first start builds the product if need be, and makes the cache for the next ones. */
    static void makeCache() throws Exception {
        try (var _ = up()) {
            long until = System.nanoTime() + CACHE_MAX.toNanos();
            while (!hasCache()) {
                if (System.nanoTime() > until) throw new IllegalStateException("no class cache");
                Load.rest();
            }
        }
    }

    private static boolean hasCache() throws IOException {
        try (var files = Files.list(Path.of("cli/target"))) {
            return files.anyMatch(file -> file.toString().endsWith("-up.aot"));
        }
    }

    private static Begun up() throws IOException {
        return up("./coppice", Temporary.directory("coppice-bench-up"));
    }

    /** Starts a coordinator from a checkout or an archive, and waits until it is ready. */
    static Begun up(String program, Path data) throws IOException {
        return Begun.of(
                List.of(program, "up", "--port", "0", "--data", data.toString()), "Coppice is up");
    }

    private static Begun idle() throws IOException {
        return Begun.of(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Idle.class.getName()),
                "idle");
    }

    /** A process that is ready, and how long that took. */
    static final class Begun implements AutoCloseable {
        private final Process process;
        private final long nanos;

        private Begun(Process process, long nanos) {
            this.process = process;
            this.nanos = nanos;
        }

        static Begun of(List<String> line, String ready) throws IOException {
            var builder = new ProcessBuilder(line).redirectErrorStream(true);
            builder.environment().put("COPPICE_JAVA_HOME", System.getProperty("java.home"));
            long from = System.nanoTime();
            var process = builder.start();
            var reader = process.inputReader();
            var printed = reader.readLine();
            while (printed != null && !printed.contains(ready)) printed = reader.readLine();
            return new Begun(process, System.nanoTime() - from);
        }

        double megabytes() throws IOException {
            var status = Path.of("/proc", Long.toString(process.pid()), "status");
            for (var line : Files.readAllLines(status)) {
                if (line.startsWith("VmRSS:"))
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0;
            }
            return 0;
        }

        @Override
        public void close() {
            process.destroy();
            process.onExit().join();
        }
    }

    /** A JVM that prints one line and then does nothing. */
    public static final class Idle {
        private Idle() {}

        public static void main(String[] args) throws InterruptedException {
            System.out.println("idle");
            new CountDownLatch(1).await();
        }
    }
}
