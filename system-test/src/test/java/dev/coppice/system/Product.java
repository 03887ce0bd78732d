package dev.coppice.system;

import dev.coppice.house.Sources;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The command line of the product. A cache of loaded classes halves the time of a start, and tests
 * start hundreds of programs; a JDK can make one only for a class path of jars.
 */
final class Product {
    private static final List<String> FLAGS =
            List.of(
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "--enable-native-access=ALL-UNNAMED",
                    // Here, too, a write that holds up the others fails.
                    "-Dcoppice.write.millis.max=" + System.getProperty("coppice.write.millis.max"));
    private static final List<String> CLASS_PATH = classPath();
    private static final List<String> CACHED = cached();

    private Product() {}

    static List<String> command(List<String> line) {
        return command(CACHED, line);
    }

    /** The class path, in which a copy of another place may stand in for each entry. */
    static List<String> path() {
        return CLASS_PATH;
    }

    /** The command with another class path, for which there is no cache. */
    static List<String> command(String classPath, List<String> line) {
        return command(List.of("-cp", classPath), line);
    }

    private static List<String> command(List<String> more, List<String> line) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(more);
        command.add("dev.coppice.cli.Main");
        command.addAll(line);
        return command;
    }

    /** The jars of this test's class path if the product is among them, else the whole path. */
    private static List<String> classPath() {
        var all = List.of(System.getProperty("java.class.path").split(":", -1));
        var jars = all.stream().filter(entry -> entry.endsWith(".jar")).toList();
        boolean isPackaged = jars.stream().anyMatch(jar -> jar.contains("coppice-cli"));
        return isPackaged ? jars : all;
    }

    private static List<String> cached() {
        var path = List.of("-cp", String.join(":", CLASS_PATH));
        if (!CLASS_PATH.stream().allMatch(entry -> entry.endsWith(".jar"))) return path;
        var cache =
                Sources.ROOT.resolve("system-test/target").resolve("start-" + digest() + ".aot");
        if (!Files.exists(cache)) record(cache, path);
        var flags = new ArrayList<>(List.of("-XX:AOTCache=" + cache));
        flags.addAll(List.of("-Xlog:aot=off", "-Xlog:cds=off"));
        flags.addAll(path);
        return flags;
    }

    /** Records a coordinator that starts, runs an agent, and ends. */
    private static void record(Path cache, List<String> path) {
        try {
            var made = Files.createTempFile(cache.getParent(), "start-", ".aot");
            var line = new ArrayList<>(List.of("-XX:AOTCacheOutput=" + made));
            line.addAll(path);
            try (var machine = new Machine()) {
                var up = machine.begin(command(line, List.of("up", "--port", "0")));
                Machine.ready(up);
                machine.post("/runs", "{\"session_name\":\"a\",\"prompt\":\"say hi\"}");
                machine.awaitState("a", "finished");
                up.process().destroy();
                up.awaitExit();
            }
            Files.move(made, cache, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Changes with every jar: the JDK does not refuse a cache of older ones. */
    private static String digest() {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(FLAGS.toString().getBytes(StandardCharsets.UTF_8));
            for (var jar : CLASS_PATH) {
                var file = Path.of(jar);
                var entry =
                        "%s %d %s\n"
                                .formatted(jar, Files.size(file), Files.getLastModifiedTime(file));
                digest.update(entry.getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
