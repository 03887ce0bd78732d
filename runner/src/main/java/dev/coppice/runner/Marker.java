package dev.coppice.runner;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the processes of a run, whoever their parent is by now: each carries the run's id in its
 * environment, which its children inherit. Where there is no /proc only the descendants of the
 * process that was started are found.
 */
final class Marker {
    static final String NAME = "COPPICE_RUN_ID";
    static final String RUNNER = "COPPICE_RUNNER_ID";
    private static final Path PROC = Path.of("/proc");
    private static final int ENVIRONMENT_BYTES_MAX = 256 * 1024;

    private Marker() {}

    static Set<ProcessHandle> carrying(String name, String value) {
        var found = new LinkedHashSet<ProcessHandle>();
        if (!Files.isDirectory(PROC)) return found;
        var wanted = name + "=" + value;
        long self = ProcessHandle.current().pid();
        try (Stream<Path> entries = Files.list(PROC)) {
            entries.map(p -> String.valueOf(p.getFileName()))
                    .filter(n -> n.chars().allMatch(Character::isDigit))
                    .map(Long::parseLong)
                    .filter(pid -> pid != self && carries(pid, wanted))
                    .forEach(pid -> ProcessHandle.of(pid).ifPresent(found::add));
        } catch (IOException e) {
            System.getLogger("runner").log(System.Logger.Level.WARNING, "reading /proc", e);
        }
        return found;
    }

    private static boolean carries(long pid, String wanted) {
        try (var in = Files.newInputStream(PROC.resolve(Long.toString(pid)).resolve("environ"))) {
            var text = new String(in.readNBytes(ENVIRONMENT_BYTES_MAX), StandardCharsets.UTF_8);
            return text.startsWith(wanted + "\0") || text.contains("\0" + wanted + "\0");
        } catch (IOException _) {
            // Gone in the meantime, or someone else's: not ours in either case.
            return false;
        }
    }
}
