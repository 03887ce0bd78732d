package dev.coppice.cli.machine;

import dev.coppice.cli.engine.Console;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** How this machine starts Coppice, and what else is on it. */
public final class Launch {
    private Launch() {}

    /** The command that starts Coppice: its launcher, else the Java of this process. */
    static List<String> command(Console console) {
        var home = console.env("COPPICE_HOME");
        // Only a launcher says how it was called.
        if (home != null && console.env("COPPICE_CALL") != null)
            return List.of(Path.of(home, "bin", "coppice").toString());
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.coppice.cli.Main");
    }

    /** True if a program of this name can be started. */
    public static boolean isOnPath(String program, Console console) {
        var path = console.env("PATH");
        if (path == null) return false;
        return Stream.of(path.split(File.pathSeparator))
                .filter(place -> place.startsWith("/"))
                .anyMatch(place -> Files.isExecutable(Path.of(place).resolve(program)));
    }

    /** Runs another program with the streams of this one, and returns its exit code. */
    static int run(List<String> line) {
        try {
            return new ProcessBuilder(line).inheritIO().start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("starting " + line.getFirst(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 130;
        }
    }
}
