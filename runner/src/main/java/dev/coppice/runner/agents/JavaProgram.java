package dev.coppice.runner.agents;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a program of ours, in a small JVM of its own that starts quickly. */
final class JavaProgram {
    private static final List<String> JAVA =
            List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1");

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
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        return command;
    }
}
