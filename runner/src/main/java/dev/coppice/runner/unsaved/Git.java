package dev.coppice.runner.unsaved;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * The user's own git, asked in a way that runs nobody's hooks, filters or watchers, asks no
 * questions, and never writes to the user's index.
 */
public final class Git {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int ERROR_BYTES_MAX = 500;
    private static final List<String> QUIET =
            List.of(
                    "-c", "safe.directory=*",
                    "-c", "safe.bareRepository=all",
                    "-c", "core.hooksPath=/dev/null",
                    "-c", "core.fsmonitor=false",
                    "-c", "core.untrackedCache=false",
                    "-c", "core.quotePath=false",
                    "-c", "core.pager=cat",
                    "-c", "gc.auto=0",
                    "-c", "protocol.allow=never",
                    "-c", "protocol.file.allow=always");

    private final Path directory;
    private final Map<String, String> environment;
    private final List<String> filtersOff;

    private Git(Path directory, Map<String, String> environment, List<String> filtersOff) {
        this.directory = directory;
        this.environment = Map.copyOf(environment);
        this.filtersOff = List.copyOf(filtersOff);
    }

    /** It said no, and why. */
    public static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Failed(String message) {
            super(message);
        }
    }

    /** Asked in this directory. A filter that is missing would keep git from storing anything. */
    public static Git in(Path directory) {
        var plain = new Git(directory, Map.of(), List.of());
        var off = new ArrayList<String>();
        var names = plain.tryText("config", "--name-only", "--get-regexp", "^filter\\.");
        for (var name : names == null ? List.<String>of() : names.lines().toList()) {
            var value = name.endsWith(".required") ? "=false" : "=";
            off.add("-c");
            off.add(name + value);
        }
        return new Git(directory, Map.of(), off);
    }

    /** Whether it is one, or lies in one, that git can read. */
    public static boolean isRepository(Path directory) {
        return Files.isDirectory(directory)
                && in(directory).tryText("rev-parse", "--git-dir") != null;
    }

    /** The work tree that this directory is in; git looks for one further and further up. */
    @Nullable Path top() {
        var said = tryText("rev-parse", "--show-toplevel");
        return said == null || said.isEmpty() ? null : Path.of(said);
    }

    /** Whether the directory itself is a work tree that git can read. */
    boolean isTop() {
        var top = top();
        return top != null && isIn(top);
    }

    /** Whether that is the same directory, whatever it is called. */
    boolean isIn(Path other) {
        try {
            return Files.isSameFile(other, directory);
        } catch (IOException e) {
            throw new Failed("%s cannot be looked at: %s".formatted(other, e.getMessage()));
        }
    }

    /** What is in the index and not in the last commit, a line each; nothing if git says no. */
    @Nullable List<String> staged() {
        var said =
                tryText(
                        "diff",
                        "--cached",
                        "--raw",
                        "--no-color",
                        "--no-abbrev",
                        "--no-renames",
                        "--diff-filter=d");
        return said == null ? null : said.lines().filter(line -> !line.isBlank()).toList();
    }

    Git with(String name, String value) {
        var more = new HashMap<>(environment);
        more.put(name, value);
        return new Git(directory, more, filtersOff);
    }

    Path directory() {
        return directory;
    }

    /** What it prints, without the last line's end. */
    public String text(String... args) {
        return new String(bytes(new byte[0], args), StandardCharsets.UTF_8).stripTrailing();
    }

    /** The same, or nothing when it says no. */
    public @Nullable String tryText(String... args) {
        try {
            return text(args);
        } catch (Failed _) {
            return null;
        }
    }

    @Nullable String tryText(byte[] input, String... args) {
        try {
            return text(input, args);
        } catch (Failed _) {
            return null;
        }
    }

    /** The fields of a list that it prints with zero bytes between them. */
    List<String> fields(String... args) {
        var all = decoded(bytes(new byte[0], args));
        if (all.isEmpty()) return List.of();
        var fields = new ArrayList<>(List.of(all.split("\0", -1)));
        if (fields.getLast().isEmpty()) fields.removeLast();
        return fields;
    }

    /** A name that cannot be read would be a file that nobody finds. */
    private static String decoded(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new Failed("a file has a name that is not UTF-8; rename it first");
        }
    }

    String text(byte[] input, String... args) {
        return new String(bytes(input, args), StandardCharsets.UTF_8).stripTrailing();
    }

    byte[] bytes(byte[] input, String... args) {
        try {
            var process = started(Redirect.PIPE, args);
            Thread.ofVirtual().start(() -> endInTime(process));
            var feeder = Thread.ofVirtual().start(() -> feed(process, input));
            var error = new FutureTask<>(() -> complaint(process));
            Thread.ofVirtual().start(error);
            var out = new ByteArrayOutputStream();
            process.getInputStream().transferTo(out);
            feeder.join();
            if (process.waitFor() == 0) return out.toByteArray();
            throw new Failed("git %s: %s".formatted(args[0], error.get()));
        } catch (IOException e) {
            throw new Failed("git could not be started: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failed("git was interrupted");
        } catch (ExecutionException e) {
            throw new Failed("git could not be heard: " + e.getMessage());
        }
    }

    /** It may wait for ever, for instance for a pipe that nobody writes to. */
    private static void endInTime(Process process) {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) process.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** For those who read as it comes; its errors go nowhere. */
    Process open(String... args) {
        try {
            return started(Redirect.DISCARD, args);
        } catch (IOException e) {
            throw new Failed("git could not be started: " + e.getMessage());
        }
    }

    private Process started(Redirect errors, String... args) throws IOException {
        var command = new ArrayList<>(List.of("git"));
        command.addAll(QUIET);
        command.addAll(filtersOff);
        command.addAll(List.of(args));
        var builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.redirectError(errors);
        var around = builder.environment();
        around.keySet().removeIf(name -> name.startsWith("GIT_"));
        around.put("LC_ALL", "C");
        around.put("GIT_OPTIONAL_LOCKS", "0");
        around.put("GIT_TERMINAL_PROMPT", "0");
        around.put("GIT_NO_REPLACE_OBJECTS", "1");
        around.putAll(environment);
        return builder.start();
    }

    private static void feed(Process process, byte[] input) {
        try (var in = process.getOutputStream()) {
            in.write(input);
        } catch (IOException _) {
            // It ended before it had read everything; its exit says why.
        }
    }

    /** Its first words; the rest is read too, lest it wait for a reader. */
    private static String complaint(Process process) throws IOException {
        try (var errors = process.getErrorStream()) {
            var first = errors.readNBytes(ERROR_BYTES_MAX);
            errors.transferTo(OutputStream.nullOutputStream());
            return new String(first, StandardCharsets.UTF_8).strip();
        }
    }
}
