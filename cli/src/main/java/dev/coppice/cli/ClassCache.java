package dev.coppice.cli;

import dev.coppice.cli.engine.Console;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The JDK's ahead-of-time class cache, with which a command answers in about a third of the time
 * (docs/decisions/0006). The file fits only one JDK and one build, so a coordinator that has just
 * started creates it on the machine, by recording one ordinary command.
 */
final class ClassCache {
    private static final int MAKE_SECONDS_MAX = 60;

    private ClassCache() {}

    /** Creates the cache in the background. Without it commands only start more slowly. */
    static void makeFor(String url, String token, Console console) {
        var named = console.env("COPPICE_CLASS_CACHE");
        if (named == null || Files.exists(Path.of(named))) return;
        Thread.ofVirtual().name("class-cache").start(() -> make(Path.of(named), url, token));
    }

    private static void make(Path cache, String url, String token) {
        var beside =
                cache.resolveSibling(cache.getFileName() + "." + ProcessHandle.current().pid());
        try {
            var builder = new ProcessBuilder(command(beside));
            builder.environment().put("COPPICE_URL", url);
            builder.environment().put("COPPICE_TOKEN", token);
            builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
            var process = builder.start();
            if (process.waitFor(MAKE_SECONDS_MAX, TimeUnit.SECONDS) && Files.exists(beside)) {
                Files.move(beside, cache, StandardCopyOption.ATOMIC_MOVE);
            } else {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            System.getLogger("cli").log(System.Logger.Level.DEBUG, "class cache not created", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The flags have to be those with which the launcher uses the cache. */
    private static List<String> command(Path output) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:AOTCacheOutput=" + output);
        command.addAll(flags(System.getenv("COPPICE_COMMAND_FLAGS")));
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(Main.class.getName());
        command.add("list");
        return command;
    }

    private static List<String> flags(@Nullable String flags) {
        return flags == null || flags.isBlank()
                ? List.of()
                : List.of(flags.strip().split("\\s+", -1));
    }
}
