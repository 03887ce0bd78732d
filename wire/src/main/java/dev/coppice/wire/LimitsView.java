package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

/** How far a tree may grow below a session; what is null is inherited. */
public record LimitsView(
        @Nullable Integer depth,
        @Nullable Integer children,
        @Nullable Integer descendants,
        @Nullable Integer runs) {}
