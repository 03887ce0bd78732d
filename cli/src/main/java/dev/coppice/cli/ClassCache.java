package dev.coppice.cli;

import dev.coppice.cli.engine.Console;
import dev.coppice.runner.raw.Handles;
import dev.coppice.thread.Threads;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The JDK's ahead-of-time class caches, with which programs start in about a third of the time
 * (docs/decisions/0006): one for the commands that agents call most, one for all commands, one for
 * the coordinator and the runner. A file fits only one JDK and one build, so a coordinator that has
 * just started makes them on the machine, by recording a {@link Practice} and a {@link Rehearsal}.
 * An archive contains its caches. Without caches programs only start more slowly.
 */
final class ClassCache implements AutoCloseable {
    /** A step has the lowest priority, so on a busy machine it takes minutes. */
    private static final int STEP_SECONDS_MAX = 600;

    private static final int END_SECONDS_MAX = 10;

    private static final String DIAGNOSTIC = "-XX:+UnlockDiagnosticVMOptions";

    private final Console console;
    private final Path place;

    /** The coordinator to practise with, while there is one. */
    private volatile @Nullable Process served;

    private final Instant began = InstantSource.system().instant();
    private final ExecutorService maker =
            Executors.newSingleThreadExecutor(Threads.virtual("class-cache").factory());

    /** A cache to make; the launcher names its file and flags in the environment. */
    private record Recorded(String fileVariable, String flagsVariable, List<String> program) {}

    ClassCache(Console console, Path data) {
        this.console = console;
        this.place = data.resolve("rehearsal");
    }

    /** Starts to make the caches in the background. */
    void begin() {
        try {
            maker.execute(this::makeAll);
        } catch (RejectedExecutionException _) {
            // The coordinator stops before it was ready.
        }
    }

    private void makeAll() {
        try {
            // An earlier coordinator of this directory may have been killed in its rehearsal.
            Handles.delete(place);
            try {
                makeOfCommands();
                Handles.delete(place);
                make(
                        new Recorded(
                                "COPPICE_UP_CACHE",
                                "COPPICE_UP_FLAGS",
                                List.of(Rehearsal.class.getName(), place.toString())));
            } finally {
                // An interrupt must not leave the directory behind.
                Handles.delete(place);
            }
        } catch (IOException | RuntimeException e) {
            System.getLogger("cli").log(System.Logger.Level.DEBUG, "class cache not created", e);
        } catch (InterruptedException _) {
            // The coordinator stops; the next one makes the missing caches.
        }
    }

    /** Practises with a coordinator in another process, whose classes commands do not need. */
    private void makeOfCommands() throws IOException, InterruptedException {
        var quick = practice("COPPICE_QUICK_CACHE", "quick");
        var all = practice("COPPICE_CLASS_CACHE", "all");
        if (cache(quick) == null && cache(all) == null) return;
        var line = program(quick);
        line.addAll(List.of(Rehearsal.class.getName(), place.toString(), "serve"));
        var server =
                new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        served = server;
        try {
            var ready = "ready".getBytes(StandardCharsets.US_ASCII);
            if (!Arrays.equals(ready, server.getInputStream().readNBytes(ready.length))) return;
            make(quick);
            make(all);
        } finally {
            served = null;
            end(server);
        }
    }

    private Recorded practice(String fileVariable, String which) {
        var program = List.of(Practice.class.getName(), place.toString(), which);
        return new Recorded(fileVariable, "COPPICE_COMMAND_FLAGS", program);
    }

    private void make(Recorded what) throws IOException, InterruptedException {
        var cache = cache(what);
        if (cache == null) return;
        deleteAbandoned(cache);
        var mine = cache + "." + ProcessHandle.current().pid();
        var classes = Path.of(mine + ".classes");
        var beside = Path.of(mine);
        try {
            var from = "-XX:AOTConfiguration=" + classes;
            // Stored profiles would let the compiler compete with the start for the processor.
            boolean isMade =
                    succeeds(what, "-XX:AOTMode=record", from, DIAGNOSTIC, "-XX:-AOTRecordTraining")
                            && succeeds(what, "-XX:AOTMode=create", from, "-XX:AOTCache=" + beside);
            if (!isMade) return;
            // Jars that were built meanwhile are newer than the cache, which is outdated then.
            Files.setLastModifiedTime(beside, FileTime.from(began));
            Files.move(beside, cache, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(classes);
            Files.deleteIfExists(beside);
        }
    }

    /** The file to make; null if there is one, or if another user owns the installation. */
    private @Nullable Path cache(Recorded what) {
        var named = console.env(what.fileVariable());
        if (named == null || Files.exists(Path.of(named))) return null;
        var cache = Path.of(named);
        return Files.isWritable(cache.getParent()) ? cache : null;
    }

    /** Deletes what killed processes have left beside the cache: files named for their pid. */
    private static void deleteAbandoned(Path cache) throws IOException {
        try (var files = Files.newDirectoryStream(cache.getParent(), cache.getFileName() + ".*")) {
            for (var file : files) {
                var rest = file.toString().substring(cache.toString().length() + 1);
                var pid = rest.replaceFirst("[.].*", "");
                if (pid.matches("[0-9]{1,18}") && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Uses the launcher's flags: a cache that was made with others does not fit. */
    private boolean succeeds(Recorded what, String... steps)
            throws IOException, InterruptedException {
        var command = program(what, steps);
        command.addAll(what.program());
        var builder = new ProcessBuilder(command);
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        var process = builder.start();
        try {
            return process.waitFor(STEP_SECONDS_MAX, TimeUnit.SECONDS) && process.exitValue() == 0;
        } finally {
            end(process);
        }
    }

    private List<String> program(Recorded what, String... steps) {
        var command = new ArrayList<>(List.of("nice", "-n", "19"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(steps));
        var flags = console.env(what.flagsVariable());
        if (flags != null) command.addAll(List.of(flags.strip().split("\\s+", -1)));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        return command;
    }

    /** Sends SIGTERM first, so that a rehearsal ends its agent. */
    private static void end(Process process) throws InterruptedException {
        boolean isClosing = Thread.interrupted();
        process.destroy();
        if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor(END_SECONDS_MAX, TimeUnit.SECONDS);
        }
        if (isClosing) throw new InterruptedException();
    }

    /** Interrupts the making of the caches, and does not wait for its end. */
    void end() {
        maker.shutdownNow();
        // An interrupt does not end a read of its output.
        var server = served;
        if (server != null) server.destroy();
    }

    /**
     * Waits until the making has ended and cleaned up. It does not interrupt: a second interrupt
     * would keep the making from waiting for its process.
     */
    @Override
    public void close() {
        maker.close();
    }
}
