package dev.coppice.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The project's own source files. */
public final class Sources {
    public static final Path ROOT =
            Path.of(System.getProperty("coppice.root", "..")).toAbsolutePath().normalize();
    static final List<String> MODULES =
            List.of(
                    "words",
                    "core",
                    "threads",
                    "wire",
                    "store",
                    "schemas",
                    "server",
                    "telemetry",
                    "mcp",
                    "originals",
                    "runner",
                    "cli",
                    "system-test",
                    "bench",
                    "dist");

    private Sources() {}

    static List<Path> main() {
        return MODULES.stream()
                .flatMap(m -> java(ROOT.resolve(m).resolve("src/main/java")).stream())
                .toList();
    }

    static List<Path> tests() {
        return MODULES.stream()
                .flatMap(m -> java(ROOT.resolve(m).resolve("src/test/java")).stream())
                .toList();
    }

    /** The scripts and style sheets of the dashboard, except those of others. */
    static List<Path> dashboard() {
        var under = ROOT.resolve("server/src/main/resources/dev/coppice/dashboard");
        return Stream.of(".js", ".css")
                .flatMap(end -> ending(under, end).stream())
                .filter(file -> !file.startsWith(under.resolve("vendor")))
                .toList();
    }

    private static List<Path> java(Path under) {
        return ending(under, ".java");
    }

    private static List<Path> ending(Path under, String end) {
        if (!Files.isDirectory(under)) return List.of();
        try (Stream<Path> walk = Files.walk(under)) {
            return walk.filter(p -> p.toString().endsWith(end)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String name(Path file) {
        return ROOT.relativize(file).toString();
    }
}
