package dev.coppice.runner;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/**
 * Where a runner finds its coordinator, and what it is. Host, directory and profile make its id, so
 * a runner started again in the same place is the same runner.
 */
public record RunnerSettings(
        URI coordinator,
        String token,
        Path directory,
        String profile,
        List<String> tags,
        int capacity,
        long archiveMax,
        @Nullable Path commands,
        String containment,
        @Nullable Neighbour neighbour) {
    /** Of one directory, all of which is kept before it is taken away. */
    public static final long ARCHIVE_BYTES_DEFAULT = 1024L * 1024 * 1024;

    public RunnerSettings {
        tags = List.copyOf(tags);
    }
}
