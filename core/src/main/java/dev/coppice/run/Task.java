package dev.coppice.run;

import dev.coppice.kernel.JsonText;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** The task of a run: its input, and its blueprint as it was when the run was requested. */
public record Task(
        @Nullable String blueprint,
        JsonText definition,
        JsonText parameters,
        JsonText scope,
        @Nullable String projectDir,
        Terms terms) {

    /** The limits on the agent's silence and the session's age, and the account that it uses. */
    public record Terms(
            @Nullable Duration silence, @Nullable Duration lifetime, @Nullable String account) {
        public static final Terms NONE = new Terms(null, null, null);
    }
}
