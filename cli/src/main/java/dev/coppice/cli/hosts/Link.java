package dev.coppice.cli.hosts;

import dev.coppice.thread.Threads;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The connection to a host: a tunnel from its loopback to the coordinator, and a shell there that
 * keeps the runner alive. Both are one process of ssh, which is started again when it ends.
 */
final class Link {
    private static final System.Logger LOG = System.getLogger("hosts");
    private static final Duration PAUSE_MIN = Duration.ofSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(15);
    private static final Duration LOOK = Duration.ofSeconds(5);

    /** The start of a runner there takes longest. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

    private static final Duration WAIT_MAX = Duration.ofMinutes(1);
    private static final String RUNNER = "runner ";

    /** Stands for the end of a stream among its lines. */
    private static final String END = "\0";

    private static final int LINE_CHARS_MAX = 4_096;
    private static final int LINES_MAX = 100;

    private final SshHost host;
    private final Path data;
    private final HostFiles files;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable Process process;

    /** When there was a runner for the last time; only the thread of the loop uses it. */
    private long lost = System.nanoTime();

    private HostFiles.@Nullable State told;

    Link(SshHost host, Path data) {
        this.host = host;
        this.data = data;
        this.files = HostFiles.in(data);
    }

    SshHost host() {
        return host;
    }

    boolean isOpen() {
        return closed.getCount() > 0;
    }

    /** Connects once, and returns when the connection has ended and it is time for another try. */
    void connect() throws InterruptedException {
        try {
            freed();
            talk();
        } catch (IOException | RuntimeException e) {
            if (isOpen()) tell("away", null, e.getMessage());
        } finally {
            end();
        }
        var _ = closed.await(pause().toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Grows with the time without a runner: a break of seconds must cost no run. */
    private Duration pause() {
        var grown = PAUSE_MIN.plus(Duration.ofNanos(System.nanoTime() - lost).dividedBy(10));
        return grown.compareTo(PAUSE_MAX) < 0 ? grown : PAUSE_MAX;
    }

    /** Ends the other end of an earlier connection, which may not know yet that it is lost. */
    private void freed() {
        var said = new Remote(host).run(HostScripts.freeing(host));
        if (!said.isGood()) throw new Remote.Failed(said.why());
    }

    private void talk() throws IOException, InterruptedException {
        var url = Files.readString(data.resolve("url")).strip();
        var line = host.shell(host.tunnel(URI.create(url).getPort()));
        var ssh = new ProcessBuilder(line).start();
        process = ssh;
        var answers = lines(ssh.inputReader(StandardCharsets.UTF_8));
        var errors = lines(ssh.errorReader(StandardCharsets.UTF_8));
        try (var to = new OutputStreamWriter(ssh.getOutputStream(), StandardCharsets.UTF_8)) {
            ask(to, HostScripts.keeping(host));
            var wait = LOOK;
            while (isOpen()) {
                var answer = answers.poll(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS);
                if (answer == null) throw new IOException("no answer for " + ANSWER_MAX);
                if (answer.equals(END)) throw new IOException(last(errors, ssh));
                if (!answer.startsWith(HostScripts.ANSWER)) continue;
                // A runner that does not start is tried less and less often.
                wait =
                        hasRunner(answer.substring(HostScripts.ANSWER.length()))
                                ? LOOK
                                : longer(wait, WAIT_MAX);
                if (closed.await(wait.toMillis(), TimeUnit.MILLISECONDS)) return;
                ask(to, "look\n");
            }
        }
    }

    private static void ask(Writer to, String text) throws IOException {
        try {
            to.write(text);
            to.flush();
        } catch (IOException _) {
            // The process has ended; the end of its answers says why.
        }
    }

    /** The answer names the runner, or says why there is none. */
    private boolean hasRunner(String answer) {
        boolean has = answer.startsWith(RUNNER);
        if (has) lost = System.nanoTime();
        tell(
                has ? HostFiles.CONNECTED : "no runner",
                has ? answer.substring(RUNNER.length()) : null,
                has ? null : answer);
        return has;
    }

    private static Duration longer(Duration wait, Duration most) {
        var longer = wait.multipliedBy(2);
        return longer.compareTo(most) < 0 ? longer : most;
    }

    /** The lines of a stream; the end of the stream is one, too. */
    private static BlockingQueue<String> lines(BufferedReader from) {
        var queue = new ArrayBlockingQueue<String>(LINES_MAX);
        Threads.virtual("host-lines")
                .start(() -> {
                    try (from) {
                        for (var line = line(from); line != null; line = line(from)) {
                            var text = line.strip();
                            if (!text.isEmpty() && !queue.offer(text)) queue.poll();
                        }
                    } catch (IOException e) {
                        LOG.log(System.Logger.Level.DEBUG, "reading from ssh", e);
                    }
                    if (!queue.offer(END)) {
                        queue.clear();
                        queue.add(END);
                    }
                });
        return queue;
    }

    /** The beginning of the next line; its rest is read and dropped. Null at the end. */
    private static @Nullable String line(Reader from) throws IOException {
        var text = new StringBuilder();
        int c = from.read();
        if (c < 0) return null;
        for (; c >= 0 && c != '\n'; c = from.read()) {
            if (text.length() < LINE_CHARS_MAX) text.append((char) c);
        }
        return text.toString();
    }

    private static String last(BlockingQueue<String> errors, Process ssh)
            throws InterruptedException {
        var last = "ssh ended";
        for (var line = errors.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                line != null && !line.equals(END);
                line = errors.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
            last = line;
        }
        return last + (ssh.isAlive() ? "" : " (ssh ended with %d)".formatted(ssh.exitValue()));
    }

    private void tell(String state, @Nullable String runner, @Nullable String says) {
        var before = told;
        var now =
                new HostFiles.State(
                        state, InstantSource.system().instant().toString(), runner, says);
        if (before != null
                && files.hasState(host.name())
                && before.state().equals(state)
                && Objects.equals(before.says(), says)) {
            return;
        }
        told = now;
        LOG.log(
                System.Logger.Level.INFO,
                "host {0}: {1} {2}",
                host.name(),
                state,
                says == null ? "" : says);
        files.write(host.name(), now);
    }

    private void end() {
        var running = process;
        if (running != null) running.destroy();
        process = null;
    }

    void close() {
        closed.countDown();
        end();
    }
}
