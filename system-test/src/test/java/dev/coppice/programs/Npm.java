package dev.coppice.programs;

import dev.coppice.scene.Temporary;

import org.junit.jupiter.api.Assumptions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Programs from npm at the versions of a lock file, and on Linux a Node that runs them: the
 * system's may be too old. They are installed once, below {@code target}. Where npm or its registry
 * cannot be reached, the tests that need them are skipped; where {@code COPPICE_PEERS} is {@code
 * required}, as in continuous integration, they fail.
 */
final class Npm {
    private static final List<String> FILES = List.of("package.json", "package-lock.json");
    private static final int INSTALL_SECONDS_MAX = 600;
    private static final int RUN_SECONDS_MAX = 600;

    private final Path place;

    private Npm(Path place) {
        this.place = place;
    }

    /** The exit code of a program, and what it printed. */
    record Ran(int code, String out) {}

    /** The programs of a directory below {@code src/test}. */
    static synchronized Npm installed(String name) {
        var source = Path.of("src/test").resolve(name);
        var npm = new Npm(Path.of("target").resolve(name).toAbsolutePath());
        try {
            var lock = Files.readString(source.resolve("package-lock.json"));
            var done = npm.place.resolve("installed");
            if (!Files.exists(done) || !Files.readString(done).equals(lock)) {
                Files.createDirectories(npm.place);
                for (var file : FILES) copy(source, file, npm.place);
                var ran = npm.install();
                if (ran.code() != 0)
                    unavailable("the programs from npm are not there: " + ran.out());
                Files.writeString(done, lock);
            }
            try (var scripts = Files.newDirectoryStream(source, "*.mjs")) {
                for (var script : scripts) copy(source, script.getFileName().toString(), npm.place);
            }
            return npm;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The programs have engines of their own, whatever the system's Node is: hence the force. */
    private Ran install() {
        try {
            return run(
                    List.of("npm", "ci", "--force", "--ignore-scripts", "--no-audit", "--no-fund"),
                    INSTALL_SECONDS_MAX);
        } catch (IOException e) {
            return new Ran(-1, "npm is not installed: " + e.getMessage());
        }
    }

    private static void copy(Path source, String file, Path to) throws IOException {
        Files.writeString(to.resolve(file), Files.readString(source.resolve(file)));
    }

    /** Skips the test, or fails it where nothing may be skipped. */
    static void unavailable(String why) {
        if ("required".equals(System.getenv("COPPICE_PEERS"))) throw new AssertionError(why);
        Assumptions.abort(why);
    }

    /** A file of a package. */
    Path file(String path) {
        return place.resolve("node_modules").resolve(path);
    }

    /** The Node that came with the programs; else the system's. */
    String node() {
        var packaged = file("node-linux-%s/bin/node".formatted(arch()));
        return Files.exists(packaged) ? packaged.toString() : "node";
    }

    /** The processor, as packages name it. */
    static String arch() {
        return System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
    }

    /** Runs a script of a package, or one of ours. */
    Ran node(String script, String... arguments) {
        var isOurs = script.endsWith(".mjs");
        var command = new ArrayList<String>();
        command.add(node());
        command.add((isOurs ? place.resolve(script) : file(script)).toString());
        command.addAll(List.of(arguments));
        try {
            return run(command, RUN_SECONDS_MAX);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Ran run(List<String> command, int seconds) throws IOException {
        var out = Temporary.directory("coppice-npm").resolve("out");
        var process =
                new ProcessBuilder(command)
                        .directory(place.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile())
                        .start();
        process.getOutputStream().close();
        try {
            boolean over = process.waitFor(seconds, TimeUnit.SECONDS);
            if (!over) process.destroyForcibly().waitFor();
            var said = Files.readString(out, StandardCharsets.UTF_8);
            return new Ran(over ? process.exitValue() : -1, said);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw new IllegalStateException(e);
        }
    }
}
