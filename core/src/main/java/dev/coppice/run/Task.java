package dev.coppice.run;

import dev.coppice.kernel.JsonText;

import org.jspecify.annotations.Nullable;

/** What a run is to do: the blueprint as it was when the run was asked for, and its input. */
public record Task(
        @Nullable String blueprint,
        JsonText definition,
        JsonText parameters,
        JsonText scope,
        @Nullable String projectDir) {}
