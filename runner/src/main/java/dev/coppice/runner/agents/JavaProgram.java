package dev.coppice.runner.agents;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command line of a program of ours, in a small JVM of its own that starts quickly. */
final class JavaProgram {
    private static final List<String> JAVA =
            List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    // The class cache fits only these flags.
                    "--enable-native-access=ALL-UNNAMED",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1");

    /** Absolute, because the program runs in the directory of its agent. */
    private static final String CLASS_PATH = absolute(System.getProperty("java.class.path"));

    private JavaProgram() {}

    /** Looks for the class cache each time, because it may appear while the runner runs. */
    static List<String> command(Class<?> main, int megabytes) {
        var command = new ArrayList<>(JAVA);
        command.add("-Xmx%dm".formatted(megabytes));
        var cache = System.getenv("COPPICE_CLASS_CACHE");
        if (cache != null && Files.exists(Path.of(cache))) {
            command.addAll(List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Xlog:cds=off"));
        }
        command.add("-cp");
        command.add(CLASS_PATH);
        command.add(main.getName());
        return command;
    }

    private static String absolute(String paths) {
        return Stream.of(paths.split(File.pathSeparator))
                .map(path -> Path.of(path).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
