package dev.coppice.programs;

import dev.coppice.scene.Temporary;

import org.junit.jupiter.api.Assumptions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
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

    /**
     * The programs of a directory below {@code src/test}. They are installed once for each lock
     * file, in the user's cache: {@code mvn clean} and other checkouts keep them.
     */
    static synchronized Npm installed(String name) {
        var source = Path.of("src/test").resolve(name);
        try {
            var place = cache().resolve(name + "-" + digest(source));
            if (Files.isDirectory(place)) return new Npm(place);
            Files.createDirectories(place.getParent());
            var made = new Npm(Files.createTempDirectory(place.getParent(), name));
            for (var file : files(source)) copy(source, file, made.place);
            var ran = made.install();
            if (ran.code() != 0) {
                Temporary.delete(made.place);
                unavailable("the programs from npm are not there: " + ran.out());
            }
            try {
                Files.move(made.place, place, StandardCopyOption.ATOMIC_MOVE);
            } catch (DirectoryNotEmptyException | FileAlreadyExistsException _) {
                // Another suite has installed the same meanwhile.
                Temporary.delete(made.place);
            }
            return new Npm(place);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path cache() {
        var given = System.getenv("XDG_CACHE_HOME");
        var caches =
                given == null || given.isEmpty()
                        ? Path.of(System.getProperty("user.home"), ".cache")
                        : Path.of(given);
        return caches.resolve("coppice-tests");
    }

    /** The names of the package's description, its lock file, and our scripts. */
    private static List<String> files(Path source) throws IOException {
        try (var scripts = Files.list(source)) {
            return scripts.map(file -> file.getFileName().toString())
                    .filter(file -> FILES.contains(file) || file.endsWith(".mjs"))
                    .sorted()
                    .toList();
        }
    }

    private static String digest(Path source) throws IOException {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            for (var file : files(source)) {
                digest.update(file.getBytes(StandardCharsets.UTF_8));
                digest.update(Files.readAllBytes(source.resolve(file)));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
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
