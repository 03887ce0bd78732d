package dev.coppice.runner.raw;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds file systems mounted below a directory: their contents must not be deleted with it. */
public final class Mounts {
    private static final Path TABLE = Path.of("/proc/self/mountinfo");
    private static final int POINT = 4;
    private static final Pattern ESCAPED = Pattern.compile("\\\\([0-7]{3})");

    private Mounts() {}

    /** Throws if a file system is mounted at or below the directory. */
    public static void none(Path below) throws IOException {
        if (!Files.exists(below) || !Files.exists(TABLE)) return;
        // The table holds bytes of unknown encoding.
        var found = first(Files.readAllLines(TABLE, ISO_8859_1), below.toRealPath());
        if (found.isEmpty()) return;
        throw new PreservationFailed(
                "cannot delete '" + below + "': unmount '" + found.get() + "' first");
    }

    /** Returns the first mount point at or below a directory; the table is a mountinfo file. */
    static Optional<String> first(List<String> table, Path below) {
        var name = new String(below.toString().getBytes(UTF_8), ISO_8859_1);
        var directory = name.endsWith("/") ? name : name + "/";
        return table.stream()
                .map(line -> line.split(" ", -1))
                .filter(fields -> fields.length > POINT)
                .map(fields -> plain(fields[POINT]))
                .filter(point -> (point + "/").startsWith(directory))
                .map(point -> new String(point.getBytes(ISO_8859_1), UTF_8))
                .findFirst();
    }

    private static String plain(String point) {
        return ESCAPED.matcher(point)
                .replaceAll(found -> {
                    char c = (char) Integer.parseInt(found.group(1), 8);
                    return java.util.regex.Matcher.quoteReplacement(String.valueOf(c));
                });
    }
}
