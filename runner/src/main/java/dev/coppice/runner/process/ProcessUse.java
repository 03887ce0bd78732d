package dev.coppice.runner.process;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;

/**
 * The resource use of processes, read from /proc. The time of ended processes counts once their
 * parent has waited for them.
 */
public record ProcessUse(long cpuMillis, long memoryBytes, int processes, int openFiles) {
    private static final Path PROC = Path.of("/proc");

    /** The kernel reports hundredths of a second, whatever its own tick. */
    private static final int TICK_MILLIS = 10;

    private static final int FILES_MAX = 10_000;

    /** The fields of /proc/PID/stat behind the name. */
    private static final int FIRST_TIME = 11;

    private static final int LAST_TIME = 14;
    private static final String MEMORY = "VmRSS:";
    private static final int KILOBYTE = 1024;

    public static final ProcessUse NOTHING = new ProcessUse(0, 0, 0, 0);

    /** Returns the sum over these processes. One that has ended counts as zero. */
    static ProcessUse of(Collection<Long> pids) {
        var sum = NOTHING;
        for (long pid : pids) {
            var use = of(pid);
            if (use != null) sum = sum.plus(use);
        }
        return sum;
    }

    private ProcessUse plus(ProcessUse other) {
        return new ProcessUse(
                cpuMillis + other.cpuMillis,
                memoryBytes + other.memoryBytes,
                processes + other.processes,
                openFiles + other.openFiles);
    }

    private static @Nullable ProcessUse of(long pid) {
        var directory = PROC.resolve(Long.toString(pid));
        try {
            var line = Files.readString(directory.resolve("stat"), StandardCharsets.ISO_8859_1);
            var fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
            long ticks = 0;
            for (int i = FIRST_TIME; i <= LAST_TIME; i++) ticks += Long.parseLong(fields[i]);
            return new ProcessUse(ticks * TICK_MILLIS, memory(directory), 1, files(directory));
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException _) {
            return null;
        }
    }

    /** Returns the resident memory in bytes; 0 for a zombie. */
    private static long memory(Path directory) throws IOException {
        var status = directory.resolve("status");
        for (var line : Files.readAllLines(status, StandardCharsets.ISO_8859_1)) {
            if (!line.startsWith(MEMORY)) continue;
            var number = line.substring(MEMORY.length()).strip().split(" ", 2)[0];
            return Long.parseLong(number) * KILOBYTE;
        }
        return 0;
    }

    /** Returns the number of open files; 0 for a process of another user. */
    private static int files(Path directory) {
        try (var files = Files.newDirectoryStream(directory.resolve("fd"))) {
            int count = 0;
            for (var _ : files) if (++count == FILES_MAX) break;
            return count;
        } catch (IOException | DirectoryIteratorException _) {
            return 0;
        }
    }
}
