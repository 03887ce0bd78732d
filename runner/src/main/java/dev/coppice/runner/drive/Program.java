package dev.coppice.runner.drive;

import dev.coppice.runner.drive.dialect.Pen;
import dev.coppice.wire.Json;

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
 * The agent program: its process, and the lines that it writes. What it writes waits in a bounded
 * queue, so a program that writes faster than it is heard waits, too.
 */
final class Program implements Pen {
    private static final System.Logger LOG = System.getLogger("driver");

    private static final int COMPLAINT_BYTES_MAX = 8_000;

    /** The wait for the rest of the output of a program that has ended. */
    private static final int REST_SECONDS = 2;

    private final Process process;
    private final OutputStream input;
    private final BlockingQueue<Heard> heard;

    private Program(Process process, BlockingQueue<Heard> heard) {
        this.process = process;
        this.input = new BufferedOutputStream(process.getOutputStream());
        this.heard = heard;
    }

    static Program start(List<String> command, List<String> unset, BlockingQueue<Heard> heard)
            throws IOException {
        var builder = new ProcessBuilder(command);
        builder.environment().keySet().removeAll(unset);
        var program = new Program(builder.start(), heard);
        var reader = Thread.ofPlatform().daemon().name("output").start(program::read);
        var errors = Thread.ofPlatform().daemon().name("errors").start(program::readErrors);
        Thread.ofPlatform().daemon().name("end").start(() -> program.awaitEnd(reader, errors));
        return program;
    }

    private void read() {
        try (InputStream out = process.getInputStream()) {
            var lines = new Lines(out);
            for (var line = lines.next(); line != null; line = lines.next()) heard.put(line);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "the output of the program broke off", e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void readErrors() {
        try (InputStream errors = process.getErrorStream()) {
            var lines = new Lines(errors, COMPLAINT_BYTES_MAX);
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

    /** A process that the program has left behind may hold its output open. */
    private void awaitEnd(Thread... readers) {
        try {
            int exit = process.waitFor();
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
            input.write(text.getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException e) {
            // The program is ending; its exit code says why.
            LOG.log(System.Logger.Level.DEBUG, "the program does not read any more", e);
        }
    }

    @Override
    public void close() {
        try {
            input.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "the program does not read any more", e);
        }
    }

    @Override
    public void terminate() {
        process.destroy();
    }
}
