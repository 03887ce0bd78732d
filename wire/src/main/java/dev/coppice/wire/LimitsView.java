package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

/** How far a tree may grow below a session; what is null is inherited. */
public record LimitsView(
        @Nullable Long depth,
        @Nullable Long children,
        @Nullable Long descendants,
        @Nullable Long runs,
        @Nullable Long eventBytes,
        @Nullable Long metadataBytes,
        @Nullable Long outputBytes,
        @Nullable Long processes,
        @Nullable Long memoryBytes) {}
