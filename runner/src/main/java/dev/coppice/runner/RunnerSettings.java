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
        @Nullable Path commands,
        String containment,
        @Nullable Neighbour neighbour) {
    public RunnerSettings {
        tags = List.copyOf(tags);
    }
}
