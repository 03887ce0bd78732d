package dev.coppice.dist;

import dev.coppice.runner.raw.Handles;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The class caches of the archive. Its own coordinator makes them, as that of a checkout does, from
 * the very files that are shipped.
 */
final class Caches {
    private static final Duration MAX = Duration.ofMinutes(20);
    private static final int LOOK_MILLIS = 100;

    private Caches() {}

    static void make(Path root) throws IOException, InterruptedException {
        var wanted =
                List.of(
                        root.resolve("lib/coppice-quick.aot"),
                        root.resolve("lib/coppice.aot"),
                        root.resolve("lib/coppice-up.aot"));
        var data = Files.createTempDirectory("coppice-dist-");
        var said = data.resolve("said");
        var builder =
                new ProcessBuilder(root.resolve("bin/coppice").toString(), "up", "--port", "0");
        builder.environment().keySet().removeIf(name -> name.startsWith("COPPICE_"));
        builder.environment().put("COPPICE_DATA", data.resolve("data").toString());
        builder.redirectErrorStream(true).redirectOutput(said.toFile());
        var coordinator = builder.start();
        try {
            long until = System.nanoTime() + MAX.toNanos();
            while (!wanted.stream().allMatch(Files::exists)) {
                if (coordinator.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)
                        || System.nanoTime() > until) {
                    throw new IOException("no class caches: " + Files.readString(said));
                }
            }
        } finally {
            coordinator.destroy();
            coordinator.waitFor();
            Handles.delete(data);
        }
    }
}
