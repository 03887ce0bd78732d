package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** What a run demands of its runner. */
public record DemandsView(
        @Nullable String hostname,
        @Nullable String projectDir,
        @Nullable String executorProfile,
        @Nullable String executorType,
        @Nullable List<String> tags) {}
