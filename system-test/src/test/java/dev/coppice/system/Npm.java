package dev.coppice.system;

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
 * Programs from npm that speak the Model Context Protocol, at the versions of a lock file, and on
 * Linux a Node that runs them: the system's may be too old. They are installed once, below {@code
 * target}. Where npm or its registry cannot be reached, the tests that need them are skipped; in
 * continuous integration ({@code CI} is set) they fail.
 */
final class Peers {
    private static final Path SOURCE = Path.of("src/test/npm");
    private static final Path INSTALLED = Path.of("target/npm");
    private static final List<String> FILES = List.of("package.json", "package-lock.json");
    private static final int INSTALL_SECONDS_MAX = 300;
    private static final int RUN_SECONDS_MAX = 120;

    private final Path modules;

    private Peers(Path modules) {
        this.modules = modules;
    }

    /** The exit code of a program, and what it printed. */
    record Ran(int code, String out) {}

    static synchronized Peers installed() {
        try {
            var lock = Files.readString(SOURCE.resolve("package-lock.json"));
            var done = INSTALLED.resolve("installed");
            if (!Files.exists(done) || !Files.readString(done).equals(lock)) {
                var ran = install();
                if (ran.code() != 0) unavailable(ran.out());
                Files.writeString(done, lock);
            }
            copy("clients.mjs");
            return new Peers(INSTALLED.resolve("node_modules").toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Ran install() throws IOException {
        Files.createDirectories(INSTALLED);
        for (var file : FILES) copy(file);
        try {
            return run(
                    List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"),
                    INSTALL_SECONDS_MAX);
        } catch (IOException e) {
            return new Ran(-1, "npm is not installed: " + e.getMessage());
        }
    }

    private static void copy(String file) throws IOException {
        Files.writeString(INSTALLED.resolve(file), Files.readString(SOURCE.resolve(file)));
    }

    private static void unavailable(String why) {
        var said = "the peers from npm are not available: " + why;
        if ("required".equals(System.getenv("COPPICE_PEERS"))) throw new AssertionError(said);
        Assumptions.abort(said);
    }

    /** Runs a script of a package, or one of ours. */
    Ran node(String script, String... arguments) {
        var arch = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
        var packaged = modules.resolve("node-linux-%s/bin/node".formatted(arch));
        var command = new ArrayList<String>();
        command.add(Files.exists(packaged) ? packaged.toString() : "node");
        command.add(
                script.endsWith(".mjs")
                        ? INSTALLED.resolve(script).toAbsolutePath().toString()
                        : modules.resolve(script).toString());
        command.addAll(List.of(arguments));
        try {
            return run(command, RUN_SECONDS_MAX);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Ran run(List<String> command, int seconds) throws IOException {
        var out = Temporary.directory("coppice-peers").resolve("out");
        var process =
                new ProcessBuilder(command)
                        .directory(INSTALLED.toFile())
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
