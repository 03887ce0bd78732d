package dev.coppice.scene;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Git as run by a user who trusts the repository, its configuration, hooks and filters. */
public final class UserGit {
    private static final List<String> NAMED =
            List.of(
                    "git",
                    "-c",
                    "user.name=u",
                    "-c",
                    "user.email=u@x",
                    "-c",
                    "protocol.file.allow=always",
                    "-c",
                    "core.quotePath=false",
                    "-c",
                    "advice.detachedHead=false");
    private final Path directory;

    private UserGit(Path directory) {
        this.directory = directory;
    }

    public static UserGit in(Path directory) {
        return new UserGit(directory);
    }

    /** Runs git, asserts success, and returns its output without trailing white space. */
    public String text(String... args) {
        var command = new ArrayList<>(NAMED);
        command.addAll(List.of(args));
        var builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.redirectErrorStream(true).redirectInput(new java.io.File("/dev/null"));
        var environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("GIT_"));
        environment.put("GIT_CONFIG_GLOBAL", "/dev/null");
        environment.put("GIT_CONFIG_NOSYSTEM", "1");
        environment.put("LC_ALL", "C");
        try {
            var process = builder.start();
            var output = process.getInputStream().readAllBytes();
            var text = new String(output, StandardCharsets.UTF_8).stripTrailing();
            if (process.waitFor() == 0) return text;
            throw new AssertionError("git %s: %s".formatted(List.of(args), text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
