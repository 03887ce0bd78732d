package dev.coppice.cli.machine;

import dev.coppice.boot.DatabaseSchema;
import dev.coppice.client.OwnerOnly;
import dev.coppice.wire.Json;
import dev.coppice.wire.Release;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The versions that have served a data directory, the newest last: a file with a line for each. */
public record VersionHistory(Path data) {
    private static final int LINES_MAX = 20;

    /**
     * A version.
     *
     * @param home where its program is; null if it was not started by a launcher
     * @param steps how many steps of the database it knows
     */
    record Version(
            String version,
            @Nullable String commit,
            @Nullable String home,
            int steps,
            String since) {
        boolean isSame(Version other) {
            return version.equals(other.version)
                    && Objects.equals(commit, other.commit)
                    && Objects.equals(home, other.home)
                    && steps == other.steps;
        }
    }

    static Version ours(@Nullable String home) {
        return new Version(
                Release.ours().version(),
                Release.ours().commit(),
                home,
                DatabaseSchema.newest(),
                InstantSource.system().instant().toString());
    }

    /** Notes that this version serves the directory, if it is not the one that did before. */
    public void note(@Nullable String home) {
        var ours = ours(home);
        var all = new ArrayList<>(all());
        if (!all.isEmpty() && all.getLast().isSame(ours)) return;
        all.add(ours);
        write(all.subList(Math.max(0, all.size() - LINES_MAX), all.size()));
    }

    List<Version> all() {
        try {
            if (!Files.exists(file())) return List.of();
            var all = new ArrayList<Version>();
            for (var line : Files.readAllLines(file())) version(line).ifPresent(all::add);
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file(), e);
        }
    }

    /** A line that was cut off is as good as none. */
    private static Optional<Version> version(String line) {
        try {
            return Optional.of(Json.as(line, Version.class));
        } catch (RuntimeException _) {
            return Optional.empty();
        }
    }

    void write(List<Version> all) {
        var text = new StringBuilder();
        for (var each : all) text.append(Json.write(each)).append('\n');
        try {
            OwnerOnly.write(file(), text.toString());
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + file(), e);
        }
    }

    private Path file() {
        return data.resolve("versions");
    }
}
