package dev.coppice.run;

import dev.coppice.kernel.JsonText;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** What a run is to do: the blueprint as it was when the run was asked for, and its input. */
public record Task(
        @Nullable String blueprint,
        JsonText definition,
        JsonText parameters,
        JsonText scope,
        @Nullable String projectDir,
        Terms terms) {

    /** How long it may be silent, how old its session may grow, and whose quota it uses. */
    public record Terms(
            @Nullable Duration silence, @Nullable Duration lifetime, @Nullable String account) {
        public static final Terms NONE = new Terms(null, null, null);
    }
}
