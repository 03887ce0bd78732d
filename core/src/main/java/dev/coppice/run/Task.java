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

    /** The same task with other input. */
    Task with(JsonText other) {
        return new Task(blueprint, definition, other, scope, projectDir, terms);
    }

    /**
     * The limits on the agent's silence and the session's age, the account that it uses, and the
     * sessions that run before or after it.
     */
    public record Terms(
            @Nullable Duration silence,
            @Nullable Duration lifetime,
            @Nullable String account,
            Hooks hooks) {
        public static final Terms NONE = new Terms(null, null, null, Hooks.NONE);
    }

    /** The hooks of a run: sessions of other blueprints that run before or after it. */
    public enum Hooks {
        NONE,
        BEFORE,
        AFTER,
        BOTH;

        boolean areBefore() {
            return this == BEFORE || this == BOTH;
        }

        boolean areAfter() {
            return this == AFTER || this == BOTH;
        }
    }
}
