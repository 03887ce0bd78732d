package dev.coppice.runner;

import dev.coppice.runner.agents.Start;
import dev.coppice.wire.ClaimedRun;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * One agent at work. Its output goes to files, so that a run ends when its process does, and not
 * when some background process lets go of a pipe.
 */
final class AgentProcess {
    static final int RESULT_BYTES_MAX = 7 * 1024 * 1024;
    static final int ERROR_CHARS_MAX = 4000;
    private static final Duration LEFTOVERS_GRACE = Duration.ofSeconds(1);

    private final Process process;
    private final ProcessTree tree;
    private final Path stdout;
    private final Path stderr;

    private AgentProcess(ClaimedRun run, Process process, Path output) {
        this.process = process;
        this.tree = new ProcessTree(run.runId(), process.toHandle());
        this.stdout = output.resolve("stdout");
        this.stderr = output.resolve("stderr");
    }

    static AgentProcess start(
            ClaimedRun run, Start start, Path directory, Path output, Surroundings around)
            throws IOException {
        var builder = new ProcessBuilder(start.command());
        builder.directory(directory.toFile());
        around.into(builder.environment(), run);
        builder.environment().putAll(start.environment());
        around.identify(builder.environment(), run);
        var input = Files.writeString(output.resolve("stdin"), start.input());
        builder.redirectInput(input.toFile());
        builder.redirectOutput(output.resolve("stdout").toFile());
        builder.redirectError(output.resolve("stderr").toFile());
        return new AgentProcess(run, builder.start(), output);
    }

    /** Waits for the end, then ends whatever the agent has left behind. */
    int await() throws InterruptedException {
        int exit = process.waitFor();
        var left = tree.end(LEFTOVERS_GRACE);
        if (left != ProcessTree.Ending.NOTHING_LEFT) {
            System.getLogger("runner")
                    .log(
                            System.Logger.Level.INFO,
                            "ended what process {0} left behind",
                            process.pid());
        }
        return exit;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    ProcessTree.Ending end(Duration grace) throws InterruptedException {
        return tree.end(grace);
    }

    String output() {
        return head(stdout);
    }

    /** Why it failed, as programs say it: the end of standard error, or of what else there is. */
    String error(int exit) {
        var error = tail(stderr);
        if (!error.isBlank()) return error.strip();
        var out = tail(stdout);
        return out.isBlank() ? "Process exited with code " + exit : "(stdout) " + out.strip();
    }

    private static String head(Path file) {
        try (var in = Files.newInputStream(file)) {
            var text = new String(in.readNBytes(RESULT_BYTES_MAX), StandardCharsets.UTF_8);
            long all = Files.size(file);
            return all <= RESULT_BYTES_MAX
                    ? text
                    : text + "\n[cut here: %d of %d bytes]\n".formatted(RESULT_BYTES_MAX, all);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    private static String tail(Path file) {
        try (var channel = Files.newByteChannel(file)) {
            long from = Math.max(0, channel.size() - 4L * ERROR_CHARS_MAX);
            channel.position(from);
            var bytes = java.nio.ByteBuffer.allocate((int) (channel.size() - from));
            int read = channel.read(bytes);
            while (read > 0) read = channel.read(bytes);
            var text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
            return text.length() > ERROR_CHARS_MAX
                    ? text.substring(text.length() - ERROR_CHARS_MAX)
                    : text;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }
}
