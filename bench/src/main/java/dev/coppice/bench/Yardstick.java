package dev.coppice.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/** Describes the machine, so that figures in milliseconds of different machines can be compared. */
final class Yardstick {
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
