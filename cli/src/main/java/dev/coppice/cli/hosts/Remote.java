package dev.coppice.cli.hosts;

import dev.coppice.cli.engine.Shown;
import dev.coppice.thread.Threads;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs scripts of the shell on another machine. */
final class Remote {
    /** Long enough for a machine that is busy. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** The rest of the output of a process that has ended comes at once. */
    private static final Duration REST = Duration.ofSeconds(5);

    private static final Duration COPY_PATIENCE = Duration.ofMinutes(15);
    private static final int TEXT_BYTES_MAX = 64 * 1024;
    private final SshHost host;

    Remote(SshHost host) {
        this.host = host;
    }

    /** The output of a script, and its exit code. */
    record Said(int exit, String out, String err) {
        boolean isGood() {
            return exit == 0;
        }

        /** The answers of the script, without what the shell of the login has printed. */
        List<String> answers() {
            return out.lines()
                    .filter(line -> line.startsWith(HostScripts.ANSWER))
                    .map(line -> line.substring(HostScripts.ANSWER.length()))
                    .toList();
        }

        /** The last line of the errors; ssh prints its reason there. */
        String why() {
            return err.lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .reduce((_, last) -> last)
                    .map(Shown::line)
                    .orElse("ssh ended with " + exit);
        }
    }

    /** Another machine that does not do what it was asked for. */
    static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Failed(String message) {
            super(message);
        }
    }

    Said run(String script) {
        return run(List.of(), script);
    }

    Said run(List<String> options, String script) {
        var stdin = script.getBytes(StandardCharsets.UTF_8);
        return ended(started(host.shell(options), null), stdin, PATIENCE);
    }

    /** Runs a script, and returns its answers; throws if it fails. */
    List<String> done(String script) {
        var said = run(script);
        if (!said.isGood()) throw new Failed(host.address() + ": " + said.why());
        return said.answers();
    }

    /** Unpacks a file there, or what a program prints. */
    void copy(@Nullable Path file, List<String> packing, String command) {
        var unpacking = started(host.line(List.of(), command), file);
        if (file != null) {
            check(ended(unpacking, new byte[0], COPY_PATIENCE));
            return;
        }
        var packer = started(packing, null);
        Threads.virtual("host-copy").start(() -> pour(packer.getInputStream(), unpacking));
        check(ended(unpacking, null, COPY_PATIENCE));
        check(ended(packer, new byte[0], PATIENCE));
    }

    private static void pour(InputStream from, Process to) {
        try (var out = to.getOutputStream()) {
            from.transferTo(out);
        } catch (IOException _) {
            // The other end has closed, and its exit says why.
        }
    }

    private void check(Said said) {
        if (!said.isGood()) {
            throw new Failed("copying the program to %s: %s".formatted(host.name(), said.why()));
        }
    }

    private static Process started(List<String> line, @Nullable Path stdin) {
        var builder = new ProcessBuilder(line);
        if (stdin != null) builder.redirectInput(stdin.toFile());
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("starting " + line.getFirst(), e);
        }
    }

    private static Said ended(Process process, byte @Nullable [] stdin, Duration patience) {
        var out = textOf(process.getInputStream());
        var err = textOf(process.getErrorStream());
        try {
            if (stdin != null) write(process, stdin);
            boolean inTime = process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (!inTime) process.destroyForcibly();
            var late = "no answer within " + patience.toSeconds() + " s";
            var errors = inTime ? soon(err) : late;
            return new Said(process.waitFor(), soon(out), errors);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new Failed("interrupted");
        }
    }

    /** A child of ssh may hold its streams open for ever. */
    private static String soon(CompletableFuture<String> text) {
        return text.completeOnTimeout("", REST.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    private static void write(Process process, byte[] stdin) {
        try (var to = process.getOutputStream()) {
            to.write(stdin);
        } catch (IOException _) {
            // It ended before it read everything, and its exit says why.
        }
    }

    /** The first bytes of a stream, which is read to its end. */
    private static CompletableFuture<String> textOf(InputStream stream) {
        var text = new CompletableFuture<String>();
        Threads.virtual("host-output")
                .start(() -> {
                    try (stream) {
                        var bytes = stream.readNBytes(TEXT_BYTES_MAX);
                        stream.transferTo(OutputStream.nullOutputStream());
                        text.complete(new String(bytes, StandardCharsets.UTF_8));
                    } catch (IOException e) {
                        text.complete(String.valueOf(e.getMessage()));
                    }
                });
        return text;
    }
}
