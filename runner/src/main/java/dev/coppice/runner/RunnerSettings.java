package dev.coppice.runner;

import dev.coppice.client.Trust;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/**
 * The settings of a runner. Host, directory and profile determine its id, so a runner restarted in
 * the same place is the same runner.
 */
public record RunnerSettings(
        URI coordinator,
        String token,
        Trust trust,
        Path directory,
        String profile,
        List<String> tags,
        int capacity,
        long archiveMax,
        @Nullable Path commands,
        String containment,
        @Nullable LocalCoordinator localCoordinator) {
    /**
     * The default limit for the archive of one directory, which is preserved whole before it is
     * deleted.
     */
    public static final long ARCHIVE_BYTES_DEFAULT = 1024L * 1024 * 1024;

    public RunnerSettings {
        tags = List.copyOf(tags);
    }
}
