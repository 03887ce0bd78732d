package dev.coppice.runner.drive;

import dev.coppice.runner.drive.dialect.Pen;
import dev.coppice.thread.Threads;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The agent program: its process, and the lines that it writes. The lines wait in a bounded queue,
 * which blocks a program that writes faster than it is read.
 */
final class Program implements Pen {
    private static final System.Logger LOG = System.getLogger("driver");

    private static final int COMPLAINT_BYTES_MAX = 8_000;

    /** The wait for the rest of the output of a program that has ended. */
    private static final int REST_SECONDS = 2;

    private final BlockingQueue<Heard> heard;
    private @Nullable Process process;
    private @Nullable OutputStream input;

    Program(BlockingQueue<Heard> heard) {
        this.heard = heard;
    }

    /** Starts the command without these variables in its environment. */
    void start(List<String> command, List<String> unset) throws IOException {
        var builder = new ProcessBuilder(command);
        builder.environment().keySet().removeAll(unset);
        var started = builder.start();
        process = started;
        input = new BufferedOutputStream(started.getOutputStream());
        var reader = Threads.daemon("output").start(() -> safely(started, () -> read(started)));
        Runnable complaints = () -> safely(started, () -> readErrors(started));
        var errors = Threads.daemon("errors").start(complaints);
        Threads.daemon("end").start(() -> awaitEnd(started, reader, errors));
    }

    /** Ends the program if reading fails: it would block when it writes. */
    private static void safely(Process started, Runnable reading) {
        try {
            reading.run();
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "cannot read the program; ending it", e);
            started.destroy();
        }
    }

    private void read(Process started) {
        try (InputStream out = started.getInputStream()) {
            var lines = new BoundedLines(out);
            for (var line = lines.next(); line != null; line = lines.next()) heard.put(line);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "the output of the program broke off", e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void readErrors(Process started) {
        try (InputStream errors = started.getErrorStream()) {
            var lines = new BoundedLines(errors, COMPLAINT_BYTES_MAX);
            for (var line = lines.next(); line != null; line = lines.next()) {
                var text =
                        switch (line) {
                            case Heard.Line(var whole) -> whole;
                            case Heard.Overlong(var begin, _) -> begin;
                            default -> "";
                        };
                if (!text.isBlank()) heard.put(new Heard.Complaint(text));
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "the errors of the program broke off", e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for a bounded time: a process that was left behind may hold the output open. */
    private void awaitEnd(Process started, Thread... readers) {
        try {
            int exit = started.waitFor();
            for (var reader : readers) reader.join(TimeUnit.SECONDS.toMillis(REST_SECONDS));
            heard.put(new Heard.Ended(exit));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void write(Map<String, ?> message) {
        text(Json.write(message) + "\n");
    }

    @Override
    public void text(String text) {
        try {
            if (input == null) throw new IOException("the program is not started");
            input.write(text.getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException e) {
            // The program is ending; its exit code says why.
            LOG.log(System.Logger.Level.DEBUG, "the program has stopped reading", e);
        }
    }

    @Override
    public void close() {
        try {
            if (input != null) input.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "the program has stopped reading", e);
        }
    }

    @Override
    public void terminate() {
        if (process != null) process.destroy();
    }
}
