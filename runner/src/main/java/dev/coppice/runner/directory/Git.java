package dev.coppice.runner.directory;

import dev.coppice.runner.process.OwnProcesses;
import dev.coppice.thread.Threads;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Runs the user's git program without the user's or the repository's configuration: it runs no
 * hooks, filters or watchers, never prompts or fetches, and never writes to the user's index.
 */
final class Git {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int ERROR_BYTES_MAX = 500;
    private static final List<String> QUIET =
            List.of(
                    "-c", "safe.directory=*",
                    "-c", "safe.bareRepository=all",
                    "-c", "core.hooksPath=/dev/null",
                    "-c", "core.fsmonitor=false",
                    "-c", "core.untrackedCache=false",
                    "-c", "core.alternateRefsCommand=true",
                    "-c", "core.quotePath=false",
                    "-c", "core.pager=cat",
                    "-c", "core.attributesFile=/dev/null",
                    "-c", "core.excludesFile=/dev/null",
                    "-c", "init.templateDir=",
                    "-c", "transfer.fsckObjects=true",
                    "-c", "gc.auto=0",
                    "-c", "maintenance.auto=false",
                    "-c", "protocol.allow=never",
                    "-c", "protocol.file.allow=always");

    /** The environment of git, apart from PATH. */
    private static final Map<String, String> CLEAN =
            Map.ofEntries(
                    Map.entry("LC_ALL", "C"),
                    Map.entry("HOME", "/nonexistent"),
                    Map.entry("XDG_CONFIG_HOME", "/nonexistent"),
                    Map.entry("GIT_CONFIG_NOSYSTEM", "1"),
                    Map.entry("GIT_CONFIG_GLOBAL", "/dev/null"),
                    Map.entry("GIT_ATTR_NOSYSTEM", "1"),
                    Map.entry("GIT_ALLOW_PROTOCOL", "file"),
                    Map.entry("GIT_NO_LAZY_FETCH", "1"),
                    Map.entry("GIT_NO_REPLACE_OBJECTS", "1"),
                    Map.entry("GIT_OPTIONAL_LOCKS", "0"),
                    Map.entry("GIT_TERMINAL_PROMPT", "0"),
                    Map.entry("GIT_ASKPASS", "/bin/false"),
                    Map.entry("GIT_EDITOR", "/bin/false"));

    private final Path directory;
    private final @Nullable Repository repository;
    private final Map<String, String> environment;

    /** Set after a timeout; later calls fail at once, because they would wait as long again. */
    private final AtomicBoolean stuck;

    private final Duration patience;

    private Git(
            Path directory,
            @Nullable Repository repository,
            Map<String, String> environment,
            AtomicBoolean stuck,
            Duration patience) {
        this.patience = patience;
        this.directory = directory;
        this.repository = repository;
        this.environment = Map.copyOf(environment);
        this.stuck = stuck;
    }

    /** Git in a directory that only Coppice has written to. */
    static Git ours(Path directory) {
        return new Git(directory, null, Map.of(), new AtomicBoolean(), PATIENCE);
    }

    /** Git in a user's repository, through a temporary git directory; see {@link GitView}. */
    static Git of(Repository repository) {
        return of(repository, GitView.Contents.AS_ATTRIBUTES_SAY);
    }

    static Git of(Repository repository, GitView.Contents contents) {
        var view = GitView.of(repository, contents);
        return new Git(repository.top(), repository, view, new AtomicBoolean(), PATIENCE);
    }

    /** Returns a git that writes objects and Coppice's refs to the repository itself. */
    Git writing() {
        return repository == null
                ? this
                : new Git(
                        directory,
                        repository,
                        GitView.writing(environment, repository),
                        stuck,
                        patience);
    }

    /**
     * Copies new objects into the repository. A full disk leaves no partial file there; git itself
     * would leave its temporary files.
     */
    void publish() {
        if (repository == null) return;
        var stored = Path.of(String.valueOf(environment.get("GIT_OBJECT_DIRECTORY")));
        GitView.publish(stored, repository.common().resolve("objects"));
    }

    Git with(String name, String value) {
        var more = new HashMap<>(environment);
        more.put(name, value);
        return new Git(directory, repository, more, stuck, patience);
    }

    /** Returns the same git with another timeout for each command. */
    Git within(Duration most) {
        return new Git(directory, repository, environment, stuck, most);
    }

    Path directory() {
        return directory;
    }

    /** Returns the output without trailing space; unfit for paths, which may end in a space. */
    public String text(String... args) {
        return new String(bytes(new byte[0], args), StandardCharsets.UTF_8).stripTrailing();
    }

    /** Returns the output without trailing space, or null if git fails. */
    public @Nullable String tryText(String... args) {
        try {
            return text(args);
        } catch (GitFailed _) {
            return null;
        }
    }

    @Nullable String tryText(byte[] input, String... args) {
        try {
            return text(input, args);
        } catch (GitFailed _) {
            return null;
        }
    }

    /** Returns the output with one character for each byte, as names of files are kept. */
    String raw(byte[] input, String... args) {
        return new String(bytes(input, args), StandardCharsets.ISO_8859_1);
    }

    /** Returns the raw fields of the output, which are separated by zero bytes. */
    List<String> fields(String... args) {
        return fields(new byte[0], args);
    }

    List<String> fields(byte[] input, String... args) {
        var all = raw(input, args);
        if (all.isEmpty()) return List.of();
        var fields = new ArrayList<>(List.of(all.split("\0", -1)));
        if (fields.getLast().isEmpty()) fields.removeLast();
        return fields;
    }

    String text(byte[] input, String... args) {
        return new String(bytes(input, args), StandardCharsets.UTF_8).stripTrailing();
    }

    byte[] bytes(byte[] input, String... args) {
        var out = new ByteArrayOutputStream();
        read(input, printed -> printed.transferTo(out), args);
        return out.toByteArray();
    }

    /** Streams the lines of an output that is too long to hold in memory. */
    void lines(byte[] input, Consumer<String> each, String... args) {
        read(
                input,
                printed -> {
                    var reader = new InputStreamReader(printed, StandardCharsets.UTF_8);
                    new BufferedReader(reader).lines().forEach(each);
                },
                args);
    }

    /** Reads the output of git. */
    private interface Reading {
        void of(InputStream printed) throws IOException;
    }

    private void read(byte[] input, Reading reading, String... args) {
        if (stuck.get()) throw new GitFailed("an earlier git command timed out");
        try {
            var process = started(Redirect.PIPE, args);
            Threads.virtual("git-end").start(() -> endInTime(process));
            var feeder = Threads.virtual("git-input").start(() -> feed(process, input));
            var error = new FutureTask<>(() -> complaint(process));
            Threads.virtual("git-errors").start(error);
            reading.of(process.getInputStream());
            feeder.join();
            int code = process.waitFor();
            if (code == 0) return;
            var why = stuck.get() ? "timed out after " + patience.toSeconds() + " s" : error.get();
            if (why.isEmpty()) why = "exit code " + code;
            throw new GitFailed("git %s: %s".formatted(args[0], why));
        } catch (IOException e) {
            throw new GitFailed("cannot run git: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GitFailed("git was interrupted");
        } catch (ExecutionException e) {
            throw new GitFailed("cannot read errors of git: " + e.getMessage());
        }
    }

    /** Kills git after the timeout: it may block forever, for example on a pipe. */
    private void endInTime(Process process) {
        try {
            if (process.waitFor(patience.toSeconds(), TimeUnit.SECONDS)) return;
            stuck.set(true);
            process.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts git for a caller that streams its output; its errors are discarded. */
    Process open(String... args) {
        try {
            return started(Redirect.DISCARD, args);
        } catch (IOException e) {
            throw new GitFailed("cannot run git: " + e.getMessage());
        }
    }

    private Process started(Redirect errors, String... args) throws IOException {
        var command = new ArrayList<>(List.of("git"));
        command.addAll(QUIET);
        command.addAll(List.of(args));
        var program = new ProcessBuilder(command);
        program.directory(directory.toFile()).redirectError(errors);
        var around = program.environment();
        var path = around.get("PATH");
        around.clear();
        around.putAll(CLEAN);
        around.putAll(environment);
        if (path != null) around.put("PATH", path);
        return OwnProcesses.start(program);
    }

    private static void feed(Process process, byte[] input) {
        try (var in = process.getOutputStream()) {
            in.write(input);
        } catch (IOException _) {
            // Git ended before it read all input; its exit code says why.
        }
    }

    /** Returns the start of the errors. Reads the rest too, or git would block on the pipe. */
    private static String complaint(Process process) throws IOException {
        try (var errors = process.getErrorStream()) {
            var first = errors.readNBytes(ERROR_BYTES_MAX);
            errors.transferTo(OutputStream.nullOutputStream());
            return new String(first, StandardCharsets.UTF_8).strip();
        }
    }
}
