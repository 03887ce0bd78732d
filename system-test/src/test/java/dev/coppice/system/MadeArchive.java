package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.coppice.house.Sources;
import dev.coppice.scene.Soak;
import dev.coppice.scene.Temporary;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The archive of what the build has packaged, made once for all scenes: it takes a minute. The
 * packages of other managers take another one, and are made in the soak.
 */
final class MadeArchive {
    private static final int SECONDS_MAX = 600;
    private static @Nullable Path made;

    private MadeArchive() {}

    /** The directory with the archive and what installs it. */
    static synchronized Path directory() {
        assumeTrue(isLinux(), "the archive of another platform is tested there");
        var before = made;
        if (before != null) return before;
        var out = Temporary.directory("coppice-dist-test");
        made(out);
        made = out;
        return out;
    }

    /** Makes another one. */
    static void made(Path out) {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var dist = Sources.ROOT.resolve("dist/target");
        var path = dist.resolve("classes") + ":" + dist.resolve("lib") + "/*";
        var main = "dev.coppice.dist.Dist";
        var what = Soak.isOn() ? "all" : "archive-only";
        ran(Map.of(), java, "-cp", path, main, Sources.ROOT.toString(), out.toString(), what);
    }

    private static boolean isLinux() {
        return System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("linux");
    }

    static Path archive() {
        return only("coppice-*.tar.gz");
    }

    /** The only file there that is named so. */
    static Path only(String pattern) {
        try (var all = Files.newDirectoryStream(directory(), pattern)) {
            return all.iterator().next();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Runs a program, which must succeed, and returns what it printed. */
    static String ran(Map<String, String> environment, String... line) {
        try {
            var builder = new ProcessBuilder(line).redirectErrorStream(true);
            builder.environment().keySet().removeIf(name -> name.startsWith("COPPICE_"));
            builder.environment().putAll(environment);
            builder.redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")));
            var said = Files.createTempFile("dist-test", ".txt");
            builder.redirectOutput(said.toFile());
            var process = builder.start();
            boolean ended = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
            var text = Files.readString(said, StandardCharsets.UTF_8);
            Files.delete(said);
            assertThat(ended).as(text).isTrue();
            assertThat(process.exitValue()).as(text).isZero();
            return text;
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
