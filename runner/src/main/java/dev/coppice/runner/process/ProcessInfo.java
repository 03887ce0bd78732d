package dev.coppice.runner.process;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** One process, read from /proc: its kernel status, its marks, and its PID namespace. */
record ProcessInfo(
        long pid,
        Stat stat,
        @Nullable String run,
        @Nullable String runner,
        @Nullable String url,
        long fileSize,
        @Nullable String space) {
    private static final Path PROC = Path.of("/proc");
    private static final int ENVIRONMENT_BYTES_MAX = 256 * 1024;

    /** The kernel's status of a process, which a zombie has too. */
    record Stat(
            String program, boolean isDead, long parent, long group, long session, long started) {
        /**
         * Parses a line of /proc/PID/stat. The name is in parentheses and may contain any
         * character, so the other fields are read from behind the last parenthesis.
         */
        static Stat of(String line) {
            var rest = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
            return new Stat(
                    line.substring(line.indexOf('(') + 1, line.lastIndexOf(')')),
                    rest[0].equals("Z"),
                    Long.parseLong(rest[1]),
                    Long.parseLong(rest[2]),
                    Long.parseLong(rest[3]),
                    Long.parseLong(rest[19]));
        }
    }

    ProcessInfo with(Stat now) {
        return new ProcessInfo(pid, now, run, runner, url, fileSize, space);
    }

    /** True if the process carries at least one mark of a run. */
    boolean isMarked() {
        return run != null || Mark.isOne(fileSize);
    }

    static ProcessInfo of(long pid, Stat stat) {
        var directory = directory(pid);
        var environment = environment(directory);
        return new ProcessInfo(
                pid,
                stat,
                variable(environment, Mark.RUN),
                variable(environment, Mark.RUNNER),
                variable(environment, Mark.URL),
                fileSize(directory),
                space(directory));
    }

    /** True for a zombie. The first process of some containers never reaps its orphans. */
    static boolean isDead(long pid) {
        var stat = stat(pid);
        return stat != null && stat.isDead();
    }

    /** True if the process is still the one that this line of {@code stat} describes. */
    static boolean hasStarted(long pid, String line) {
        var now = stat(pid);
        return now != null && now.started() == Stat.of(line).started();
    }

    static @Nullable Stat stat(long pid) {
        var line = lineOf(pid);
        return line == null ? null : Stat.of(line);
    }

    private static @Nullable String lineOf(long pid) {
        return text(directory(pid).resolve("stat"), 4096);
    }

    /** Returns the line of /proc/PID/stat, which identifies a process that is not reaped yet. */
    static String line(long pid) throws IOException {
        var line = lineOf(pid);
        if (line == null) throw new IOException("process " + pid + " has ended");
        return line.strip();
    }

    /** True if the process itself carries a mark of this run. */
    static boolean isMarked(long pid, String run) {
        var directory = directory(pid);
        return fileSize(directory) == Mark.bytes(run)
                || run.equals(variable(environment(directory), Mark.RUN));
    }

    /** The directory of the process in /proc, which is there until the process is reaped. */
    static Path directory(long pid) {
        return PROC.resolve(Long.toString(pid));
    }

    private static @Nullable String environment(Path directory) {
        return text(directory.resolve("environ"), ENVIRONMENT_BYTES_MAX);
    }

    private static @Nullable String variable(@Nullable String environment, String name) {
        if (environment == null) return null;
        var wanted = name + "=";
        int at = environment.startsWith(wanted) ? 0 : environment.indexOf("\0" + wanted) + 1;
        if (at == 0 && !environment.startsWith(wanted)) return null;
        int end = environment.indexOf('\0', at);
        return environment.substring(at + wanted.length(), end < 0 ? environment.length() : end);
    }

    /** Returns the hard limit on file sizes in bytes, or 0 if there is none. */
    private static long fileSize(Path directory) {
        var limits = text(directory.resolve("limits"), 8192);
        if (limits == null) return 0;
        int at = limits.indexOf("Max file size");
        if (at < 0) return 0;
        var line = limits.substring(at, limits.indexOf('\n', at)).strip().split("\\s+", -1);
        if (line[4].equals("unlimited")) return 0;
        // The kernel's number has no sign; no mark is that large.
        long bytes = Long.parseUnsignedLong(line[4]);
        return bytes < 0 ? Long.MAX_VALUE : bytes;
    }

    private static @Nullable String space(Path directory) {
        try {
            return Files.readSymbolicLink(directory.resolve("ns/pid")).toString();
        } catch (IOException | UnsupportedOperationException _) {
            return null;
        }
    }

    /** Returns null if the process is gone or belongs to another user. */
    private static @Nullable String text(Path file, int bytesMax) {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(bytesMax), StandardCharsets.ISO_8859_1);
        } catch (IOException _) {
            return null;
        }
    }
}
