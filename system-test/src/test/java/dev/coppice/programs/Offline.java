package dev.coppice.programs;

import dev.coppice.scene.Soak;
import dev.coppice.scene.Temporary;

import org.junit.jupiter.api.DynamicTest;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs the tests of a class in a process that has no network but the loopback, because programs of
 * others may want to reach their makers. Their results become tests of the class that asks.
 */
final class Offline {
    private static final int MINUTES_MAX = 20;
    private static final String UP = "ip link set lo up && exec \"$@\"";
    private static final String END = "\u001e";

    private Offline() {}

    /** One result: the name of a test, and how it failed. */
    private record Result(String name, String failure) {}

    static Stream<DynamicTest> tests(Class<?> of, Map<String, String> environment) {
        var isolated = isolated();
        if (isolated.isEmpty()) Npm.unavailable("this user can have no network of its own");
        var command = new ArrayList<>(isolated);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+UseSerialGC");
        command.add("-Dcoppice.root=" + System.getProperty("coppice.root", ".."));
        for (var property : List.of("coppice.soak", "coppice.soak.until")) {
            var value = System.getProperty(property);
            if (value != null) command.add("-D" + property + "=" + value);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Offline.class.getName(), of.getName()));
        var out = ran(command, environment);
        var results = new ArrayList<DynamicTest>();
        for (var line : out.split(END, -1)) {
            if (!line.contains("\n")) continue;
            var name = line.substring(0, line.indexOf('\n')).strip();
            var failure = line.substring(line.indexOf('\n') + 1);
            results.add(
                    DynamicTest.dynamicTest(
                            name,
                            () -> {
                                if (!failure.isBlank()) throw new AssertionError(failure);
                            }));
        }
        if (results.isEmpty() && !Soak.isOver()) throw new AssertionError("no test ran: " + out);
        return results.stream();
    }

    /** The words that give a command a network of its own; empty if this user cannot have one. */
    private static List<String> isolated() {
        for (var flags : List.of(List.of("-n"), List.of("-rn"))) {
            var words = new ArrayList<>(List.of("unshare"));
            words.addAll(flags);
            words.addAll(List.of("sh", "-c", UP, "sh"));
            var trial = new ArrayList<>(words);
            trial.add("true");
            try {
                var process = new ProcessBuilder(trial).redirectErrorStream(true).start();
                if (process.waitFor() == 0) return words;
            } catch (IOException _) {
                return List.of();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return List.of();
    }

    private static String ran(List<String> command, Map<String, String> environment) {
        var directory = Temporary.directory("coppice-offline");
        try {
            var out = directory.resolve("out");
            var builder = new ProcessBuilder(command).redirectOutput(out.toFile());
            builder.redirectError(directory.resolve("err").toFile());
            builder.environment().putAll(environment);
            var process = builder.start();
            boolean over = process.waitFor(MINUTES_MAX, TimeUnit.MINUTES);
            if (!over) process.destroyForcibly().waitFor();
            var said = Files.readString(out);
            return over && process.exitValue() == 0
                    ? said
                    : said
                            + "the tests did not end\n"
                            + Files.readString(directory.resolve("err"))
                            + END;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs the tests of the class that the argument names, and prints their results. */
    public static void main(String[] args) {
        var results = new ArrayList<Result>();
        var request =
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(DiscoverySelectors.selectClass(args[0]))
                        .filters(
                                Soak.isOn()
                                        ? TagFilter.includeTags(Soak.TAG)
                                        : TagFilter.excludeTags(Soak.TAG))
                        .build();
        LauncherFactory.create()
                .execute(
                        request,
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(
                                    TestIdentifier test, TestExecutionResult result) {
                                var failure = result.getThrowable().map(Offline::text).orElse("");
                                if (test.isTest() || !failure.isEmpty()) {
                                    results.add(new Result(test.getDisplayName(), failure));
                                }
                            }
                        });
        for (var result : results) System.out.print(result.name() + "\n" + result.failure() + END);
        System.out.flush();
        System.exit(0);
    }

    private static String text(Throwable failure) {
        var lines = new ArrayList<>(List.of(failure.toString()));
        for (var frame : failure.getStackTrace()) {
            if (frame.getClassName().startsWith("dev.coppice")) lines.add("    at " + frame);
        }
        return String.join("\n", lines);
    }
}
