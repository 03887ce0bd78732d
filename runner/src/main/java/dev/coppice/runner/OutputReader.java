package dev.coppice.runner;

import dev.coppice.client.Pause;
import dev.coppice.runner.process.RunFile;
import dev.coppice.thread.Threads;
import dev.coppice.wire.Utf8;
import dev.coppice.wire.fleet.OutputAnswer;
import dev.coppice.wire.fleet.OutputOrder;
import dev.coppice.wire.fleet.RunnerCalls;
import dev.coppice.wire.run.OutputView;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;

/** Sends parts of the output of runs to the coordinator, which asks for them. */
final class OutputReader {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final Duration LOOK = Duration.ofMillis(100);

    private final Station station;
    private final Predicate<String> isAtWorkOn;

    OutputReader(Station station, Predicate<String> isAtWorkOn) {
        this.station = station;
        this.isAtWorkOn = isAtWorkOn;
    }

    void begin(OutputOrder order) {
        Threads.virtual("output-" + order.runId()).start(() -> work(order));
    }

    private void work(OutputOrder order) {
        try {
            var answer = answer(order);
            station.client()
                    .call(
                            RunnerCalls.OUTPUT_READ,
                            new RunnerCalls.OutputRead(order.orderId(), answer));
        } catch (RuntimeException e) {
            // The caller times out, and may retry.
            LOG.log(System.Logger.Level.DEBUG, "sending output", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private OutputAnswer answer(OutputOrder order) throws InterruptedException {
        var directory = station.directories().outputOf(order.runId());
        try {
            if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                return unavailable("its runner has no output of it; it was removed");
            }
            awaitMore(order, directory);
            return new OutputAnswer(
                    part(directory.resolve("stdout"), order.stdout(), order.bytesMax()),
                    part(directory.resolve("stderr"), order.stderr(), order.bytesMax()),
                    null);
        } catch (IOException e) {
            return unavailable("its runner cannot read it: " + e.getMessage());
        }
    }

    private static OutputAnswer unavailable(String why) {
        return new OutputAnswer(null, null, why);
    }

    private void awaitMore(OutputOrder order, Path directory) throws InterruptedException {
        long until = System.nanoTime() + Duration.ofMillis(order.waitMs()).toNanos();
        while (System.nanoTime() < until
                && isAtWorkOn.test(order.runId())
                && directory.resolve("stdout").toFile().length() <= order.stdout()
                && directory.resolve("stderr").toFile().length() <= order.stderr()) {
            Pause.of(LOOK);
        }
    }

    /** Reads whole characters only, unless the stream ends within one. */
    private static OutputView.Part part(Path file, long offset, int max) throws IOException {
        try (var opened = RunFile.open(file)) {
            long size = opened.size();
            long from = offset < 0 ? Math.max(0, size + offset) : Math.min(offset, size);
            var read = opened.bytes(from, max);
            int skipped = offset < 0 ? Utf8.continued(read, read.length) : 0;
            int end = read.length - Utf8.incomplete(read, read.length);
            if (end <= skipped) end = read.length;
            var text = new String(read, skipped, end - skipped, StandardCharsets.UTF_8);
            return new OutputView.Part(from + skipped, from + end, size, text);
        } catch (NoSuchFileException _) {
            return new OutputView.Part(0, 0, 0, "");
        }
    }
}
